import type { Message, ReadOptions, SessionStore } from "@sessions/protocol";
import { isPrompt, turnIdOf } from "../history/turn-marks.js";

/** The messages of one turn. */
export interface TurnMessages {
  readonly prompt?: Message;
  /** What the turn added after the prompt, in order. */
  readonly answers: readonly Message[];
}

const FIRST_PAGE_MESSAGES = 64;

/** Reads the messages of a turn, from the newest back to its prompt, in the archives too. */
export async function turnMessages(
  store: SessionStore,
  sessionId: string,
  turnId: string,
  options: ReadOptions = {},
): Promise<TurnMessages> {
  for (let size = FIRST_PAGE_MESSAGES; ; size *= 4) {
    const session = await store.getSession(sessionId, { ...options, messages: { last: size } });
    if (session === undefined) return { answers: [] };
    const live = messagesOfTurn(session.messages, turnId);
    if (live.prompt !== undefined) return live;
    if (session.messageCount > size) continue;
    const newestFirst = session.archives.map((archive) => archive.id).toReversed();
    return withArchived(store, sessionId, turnId, live, newestFirst, options);
  }
}

/** The messages of a turn in a list of messages. */
export function messagesOfTurn(messages: readonly Message[], turnId: string): TurnMessages {
  const own = messages.filter((message) => turnIdOf(message) === turnId);
  const prompt = own.find(isPrompt);
  return {
    ...(prompt === undefined ? {} : { prompt }),
    answers: own.filter((message) => !isPrompt(message)),
  };
}

async function withArchived(
  store: SessionStore,
  sessionId: string,
  turnId: string,
  live: TurnMessages,
  archiveIds: readonly string[],
  options: ReadOptions,
): Promise<TurnMessages> {
  let found = live;
  for (const archiveId of archiveIds) {
    const { messages } = await store.getArchive(sessionId, archiveId, options);
    const older = messagesOfTurn(messages, turnId);
    found = { ...older, answers: [...older.answers, ...found.answers] };
    if (older.prompt !== undefined) break;
  }
  return found;
}
