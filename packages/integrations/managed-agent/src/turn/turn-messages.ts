import type { Message, ReadOptions, SessionStore } from "@sessions/protocol";
import { isPrompt, turnIdOf } from "../session/turn-marks.js";

/** What a session holds of one turn. */
export interface TurnMessages {
  readonly prompt?: Message;
  /** What the turn added after it, in order. */
  readonly answers: readonly Message[];
}

const FIRST_PAGE = 64;

/** The messages of a turn: from the newest back to its prompt, in the archives too. */
export async function turnMessages(
  store: SessionStore,
  sessionId: string,
  turnId: string,
  options: ReadOptions = {},
): Promise<TurnMessages> {
  for (let size = FIRST_PAGE; ; size *= 4) {
    const session = await store.getSession(sessionId, { ...options, messages: { last: size } });
    if (session === undefined) return { answers: [] };
    const live = messagesOf(session.messages, turnId);
    if (live.prompt !== undefined) return live;
    if (session.messageCount > size) continue;
    const archives = session.archives.map((archive) => archive.id).toReversed();
    return withArchived(store, sessionId, turnId, live, archives, options);
  }
}

/** Those of a turn among messages that stand one after the other. */
export function messagesOf(messages: readonly Message[], turnId: string): TurnMessages {
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
    const older = messagesOf(messages, turnId);
    found = { ...older, answers: [...older.answers, ...found.answers] };
    if (older.prompt !== undefined) break;
  }
  return found;
}
