import type { Message, Session, TurnInfo } from "@sessions/protocol";
import { retry, SessionChanges } from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";
import { answerIn } from "../load-chat.js";
import { marksOf } from "../messages/stored-message.js";
import { pageRetryPolicy } from "../page-retry-policy.js";
import type { Settings } from "../settings.js";
import { ChunkReplay } from "./chunk-replay.js";

const CUT_OFF = "The answer was cut off: the process that wrote it is gone. Ask again.";
/** How many of the last messages are read first: the answer is usually among them. */
const NEWEST_MESSAGES = 16;

/** An answer to follow. */
export interface FollowedAnswer {
  readonly sessionId: string;
  readonly turn: TurnInfo;
  /** The part of the answer that the page has already. */
  readonly known?: UIMessage | undefined;
  readonly signal: AbortSignal;
}

type Reading = Pick<Settings, "store" | "clock" | "newId">;

/**
 * The answer that a turn writes, as a stream of the SDK: its beginning, then what is added, and its end. It only reads the store, so it works
 * in any process, and also after the process that answers has died.
 */
export async function* followAnswer(
  reading: Reading,
  { sessionId, turn, signal, known }: FollowedAnswer,
): AsyncGenerator<UIMessageChunk, void, undefined> {
  const { store, clock } = reading;
  const session = await retry(pageRetryPolicy(reading), () =>
    store.getSession(sessionId, { messages: "none" }),
  );
  const changes = new SessionChanges({ store, sessionId, since: session?.revision ?? 0, clock, signal });
  const replay = new ChunkReplay(known);
  try {
    while (!signal.aborted) {
      const [now, answer] = await retry(pageRetryPolicy(reading), () =>
        readAnswer(reading, sessionId, turn.turnId),
      );
      const message = answer === undefined ? undefined : await answerIn(answer);
      if (message !== undefined) yield* replay.chunks(message);
      if (!isRunning(now?.turn, turn)) return yield* endOf(now, turn.turnId, answer);
      await changes.wait(now?.turn?.expiresAt ?? 0);
    }
  } finally {
    changes.close();
  }
}

/** A complete answer as a stream. */
export function* replayAnswer(
  answer: Message,
  message: UIMessage,
  known?: UIMessage,
): Generator<UIMessageChunk> {
  yield* new ChunkReplay(known).chunks(message);
  yield finish(answer);
}

/** The last answer, if it ended between the page's load of the chat and its request for the stream. */
export async function answerSince(session: Session, since: number): Promise<UIMessageChunk[] | undefined> {
  const answer = session.messages.at(-1);
  if (!(session.revision > since) || answer === undefined) return undefined;
  const { turnId } = marksOf(answer);
  const message = turnId === undefined ? undefined : await answerIn(answer);
  if (turnId === undefined || message === undefined) return undefined;
  return [...new ChunkReplay().chunks(message), ...endOf(session, turnId, answer)];
}

async function readAnswer(
  { store }: Reading,
  sessionId: string,
  turnId: string,
): Promise<[Session | undefined, Message | undefined]> {
  const newest = await store.getSession(sessionId, { messages: { last: NEWEST_MESSAGES } });
  const found = answerAmong(newest, turnId);
  if (newest === undefined || found !== undefined || newest.messageCount <= NEWEST_MESSAGES)
    return [newest, found];
  const session = await store.getSession(sessionId);
  return [session, answerAmong(session, turnId)];
}

function answerAmong(session: Session | undefined, turnId: string): Message | undefined {
  return session?.messages.findLast((message) => marksOf(message).turnId === turnId);
}

function isRunning(now: TurnInfo | undefined, turn: TurnInfo): boolean {
  return now?.turnId === turn.turnId && now.startRevision === turn.startRevision && now.status === "running";
}

function* endOf(
  session: Session | undefined,
  turnId: string,
  answer: Message | undefined,
): Generator<UIMessageChunk> {
  if (answer !== undefined && answer.status === undefined) return yield finish(answer);
  const last = session?.lastTurn;
  const hasReason = session?.turn?.turnId !== turnId && last?.turnId === turnId && last.error !== undefined;
  if (!hasReason) return yield { type: "error", errorText: CUT_OFF };
  yield last.outcome === "interrupted" ? { type: "abort" } : { type: "error", errorText: last.error ?? "" };
}

function finish(answer: Message): UIMessageChunk {
  const { finishReason } = marksOf(answer);
  return { type: "finish", ...(isFinishReason(finishReason) ? { finishReason } : {}) };
}

type FinishReason = NonNullable<Extract<UIMessageChunk, { type: "finish" }>["finishReason"]>;

function isFinishReason(value: unknown): value is FinishReason {
  return ["stop", "length", "content-filter", "tool-calls", "error", "other"].includes(String(value));
}
