import { setTimeout } from "node:timers/promises";
import { type Message, type SessionStore, textOf } from "@sessions/protocol";
import { type FinalReadContext, harmIn } from "../worker/run-final-read.js";
import type { Conversation, StoredMessage } from "./turn-line.js";

const POLL_MS = 20;
/** A killed worker may have left a lease on a conversation that gets no more updates. */
const MAX_LEASES = 4;

/** Reads a conversation after its turns have ended. */
export async function readConversation(
  { store, task }: Pick<FinalReadContext, "store" | "task">,
  session: string,
): Promise<Conversation> {
  const running = await runningTurn(store, session, MAX_LEASES * task.turnTtlMs);
  const { messages, counters } = (await store.exportSession(session)).session;
  const live = new Set((await store.getSession(session))?.messages.map(({ id }) => id));
  return {
    type: "conversation",
    session,
    messages: messages.map((message) => stored(message, live.has(message.id))),
    counters,
    ...(running === undefined ? {} : { running }),
    harm: await harmIn(store, session),
  };
}

/** The turn that still runs after any lease without a renewal has expired. */
async function runningTurn(store: SessionStore, session: string, maxMs: number): Promise<string | undefined> {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const turn = (await store.getSession(session, { messages: "none" }))?.turn;
    if (turn?.status !== "running") return undefined;
    if (performance.now() > deadline) return turn.turnId;
    await setTimeout(POLL_MS);
  }
}

function stored(message: Message, isLive: boolean): StoredMessage {
  const { id, role, status, metadata = {} } = message;
  const { update, turnId, "bot.settled": mark } = metadata;
  return {
    id,
    role,
    text: textOf(message),
    isLive,
    ...(typeof update === "number" ? { update } : {}),
    ...(typeof turnId === "string" ? { turnId } : {}),
    ...(status === undefined ? {} : { status }),
    ...(isMark(mark) ? { mark } : {}),
  };
}

function isMark(value: unknown): value is NonNullable<StoredMessage["mark"]> {
  return (
    typeof value === "object" &&
    value !== null &&
    "outcome" in value &&
    "turnId" in value &&
    "replyIds" in value
  );
}
