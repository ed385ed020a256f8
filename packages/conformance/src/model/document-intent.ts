import type { Message, Parent, SessionDocument } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice, chosen } from "./choice.js";
import { hostileObject, hostileText } from "./hostile-json.js";
import { drafted, type MessageIntent, messageIntent } from "./message-intent.js";
import type { SessionView } from "./session-view.js";

const HOUR_MS = 3_600_000;

/** A whole session to import: one of an earlier step, or a new one. */
export interface DocumentIntent {
  readonly source: "seen" | "elsewhere";
  readonly which: Choice;
  readonly messages: readonly MessageIntent[];
  readonly title: string;
  readonly metadata: SessionDocument["metadata"];
  readonly revision: number;
  readonly parent: boolean;
  /** `full`: it has as many remembered commits and turns as allowed, all old. `forgotten`: its window has a horizon. */
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

/** The document to send. */
export function documentFor(intent: DocumentIntent, view: SessionView): SessionDocument {
  const seen = intent.source === "seen" ? chosen(view.documents, intent.which) : undefined;
  const base = seen ?? fromElsewhere(intent, view);
  const parent: Parent = {
    sessionId: view.sessionIds[intent.which % view.sessionIds.length] ?? "",
    incarnation: "i0",
  };
  return { ...base, ...(intent.parent ? { parent } : {}), ...rememberedIn(intent, base, view) };
}

function fromElsewhere(intent: DocumentIntent, view: SessionView): SessionDocument {
  const messages = intent.messages.map((message) => timed(message, view));
  return {
    incarnation: view.newName("incarnation"),
    revision: intent.revision,
    createdAt: view.startedAt - 3 * HOUR_MS,
    updatedAt: view.startedAt - HOUR_MS,
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

function timed(intent: MessageIntent, view: SessionView): Message {
  return { createdAt: 1, ...drafted(intent, view.newMessageId()) };
}

function rememberedIn(
  intent: DocumentIntent,
  base: SessionDocument,
  view: SessionView,
): Partial<SessionDocument> {
  const { startedAt } = view;
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
