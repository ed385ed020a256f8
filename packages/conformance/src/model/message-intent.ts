import type { ContentPart, Json, MessageDraft, MessageStatus } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice, chosen } from "./choice.js";
import { hostileJson, hostileKey, hostileObject, hostileText } from "./hostile-json.js";
import type { SessionView } from "./session-view.js";

/** A message to send. Its id is chosen when it is sent. */
export interface MessageIntent {
  /** A new id, that of an existing message (with the same or other content), or one that was used before. */
  readonly name: "new" | "existing-same" | "existing-other" | "used";
  readonly which: Choice;
  readonly role: string;
  readonly body: {
    readonly content?: string | readonly ContentPart[] | null;
    readonly parts?: readonly ContentPart[];
  };
  readonly extra: readonly (readonly [string, Json])[];
  readonly createdAt: number | undefined;
  readonly status: MessageStatus | undefined;
}

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  { weight: 2, arbitrary: hostileText.map((text) => ({ type: "text", text })) },
  { weight: 1, arbitrary: hostileObject.map((fields) => ({ ...fields, type: "unknown-kind" })) },
);

/** Some parts of a message. */
export const someParts: fc.Arbitrary<readonly ContentPart[]> = fc.array(part, { maxLength: 2 });

const body: fc.Arbitrary<MessageIntent["body"]> = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((content) => ({ content })) },
  { weight: 2, arbitrary: someParts.map((content) => ({ content })) },
  { weight: 1, arbitrary: someParts.map((parts) => ({ parts })) },
  { weight: 1, arbitrary: fc.constantFrom({}, { content: null }) },
);

const extra: fc.Arbitrary<MessageIntent["extra"]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: hostileObject.map((metadata): MessageIntent["extra"] => [["metadata", metadata]]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        hostileKey.map((key) => `x${key}`),
        hostileJson,
      )
      .map((entry) => [entry]),
  },
  { weight: 1, arbitrary: hostileJson.map((value): MessageIntent["extra"] => [["__proto__", value]]) },
);

/** A message to send. */
export const messageIntent: fc.Arbitrary<MessageIntent> = fc.record({
  name: fc.oneof(
    { weight: 8, arbitrary: fc.constant("new" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("existing-same" as const, "existing-other" as const, "used" as const),
    },
  ),
  which: choice,
  role: fc.constantFrom("user", "assistant", "tool", "system", "\ud800 any"),
  body,
  extra,
  createdAt: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, -1, 0.5, 1_700_000_000_000, Number.MAX_SAFE_INTEGER) },
  ),
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom<MessageStatus>("partial", "interrupted") },
  ),
});

/** The message to send. */
export function messageOf(intent: MessageIntent, view: SessionView): MessageDraft {
  const existing = chosen(view.messages, intent.which);
  if (intent.name === "existing-same" && existing !== undefined)
    return intent.which % 2 === 0 ? existing : withoutTime(existing);
  if (intent.name === "existing-other" && existing !== undefined) return drafted(intent, existing.id);
  const used = chosen(view.usedMessageIds, intent.which);
  return drafted(intent, intent.name === "used" && used !== undefined ? used : view.newMessageId());
}

/** A message with this id and the intent's fields. */
export function drafted(intent: MessageIntent, id: string): MessageDraft {
  const { role, body: content, extra: fields, createdAt, status } = intent;
  return {
    id,
    role,
    ...content,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(status === undefined ? {} : { status }),
    ...Object.fromEntries(fields),
  };
}

function withoutTime(message: MessageDraft): MessageDraft {
  const { createdAt: _, ...rest } = message;
  return { ...rest, id: message.id, role: message.role };
}
