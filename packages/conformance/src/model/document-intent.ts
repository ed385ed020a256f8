import type { Message, Parent, SessionDocument } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice, chosen } from "./choice.js";
import { hostileObject, hostileText } from "./hostile-json.js";
import type { Known } from "./known.js";
import { drafted, type MessageIntent, messageIntent } from "./message-intent.js";

const HOUR_MS = 3_600_000;

/** A whole session to import: one that was seen before, or one that comes from elsewhere. */
export interface DocumentIntent {
  readonly source: "seen" | "elsewhere";
  readonly which: Choice;
  readonly messages: readonly MessageIntent[];
  readonly title: string;
  readonly metadata: SessionDocument["metadata"];
  readonly revision: number;
  readonly parent: boolean;
  /** Whether it remembers as many commits and turns as it may, all of them old, or has forgotten some. */
  readonly memory: "none" | "full" | "forgotten";
}

export const documentIntent: fc.Arbitrary<DocumentIntent> = fc.record({
  source: fc.constantFrom("seen" as const, "seen" as const, "elsewhere" as const),
  which: choice,
  messages: fc.array(messageIntent, { maxLength: 3 }),
  title: hostileText,
  metadata: hostileObject.map(withoutNull),
  revision: fc.constantFrom(1, 2, 7, 40),
  parent: fc.boolean(),
  memory: fc.oneof(
    { weight: 6, arbitrary: fc.constant("none" as const) },
    { weight: 1, arbitrary: fc.constantFrom("full" as const, "forgotten" as const) },
  ),
});

/** The document as it is sent. */
export function documentFor(intent: DocumentIntent, known: Known): SessionDocument {
  const seen = intent.source === "seen" ? chosen(known.documents, intent.which) : undefined;
  const base = seen ?? fromElsewhere(intent, known);
  const parent: Parent = {
    sessionId: known.sessionIds[intent.which % known.sessionIds.length] ?? "",
    incarnation: "i0",
  };
  return { ...base, ...(intent.parent ? { parent } : {}), ...memoryOf(intent, base, known) };
}

function fromElsewhere(intent: DocumentIntent, known: Known): SessionDocument {
  const messages = intent.messages.map((message) => timed(message, known));
  return {
    incarnation: known.newName("incarnation"),
    revision: intent.revision,
    createdAt: known.startedAt - 3 * HOUR_MS,
    updatedAt: known.startedAt - HOUR_MS,
    title: intent.title,
    labels: { user: "u1" },
    metadata: intent.metadata,
    counters: { turns: 3 },
    messages,
    revisions: messages.map(() => 1),
    archives: [],
    snapshots: [
      {
        name: "n1",
        createdAt: 5,
        revision: 1,
        messageCount: messages.length,
        shared: messages.length,
        messages: [],
        revisions: [],
        archives: [],
      },
    ],
    finishedTurns: { entries: [], horizon: 0 },
    commits: { entries: [], horizon: 0 },
  };
}

function timed(intent: MessageIntent, known: Known): Message {
  return { createdAt: 1, ...drafted(intent, known.newMessageId()) };
}

function memoryOf(intent: DocumentIntent, base: SessionDocument, known: Known): Partial<SessionDocument> {
  const { startedAt } = known;
  if (intent.memory === "none") return {};
  if (intent.memory === "forgotten")
    return { commits: { entries: base.commits.entries, horizon: startedAt - 2 * HOUR_MS } };
  const old = Array.from({ length: 256 }, (_, index) => ({
    id: `old${index}`,
    revision: 1,
    at: startedAt - 48 * HOUR_MS + index,
  }));
  return {
    commits: { entries: old.map((entry) => ({ ...entry, digest: "d" })), horizon: 0 },
    finishedTurns: {
      entries: [...old.slice(1), { id: "t4", revision: 1, at: startedAt - 48 * HOUR_MS }],
      horizon: 0,
    },
  };
}

function withoutNull(object: SessionDocument["metadata"]): SessionDocument["metadata"] {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
