import { SessionError, type SessionStore, type SessionSummary } from "@sessions/json-file";
import type { ChatList, ChatSummary } from "./chat-summary.js";

/** Which chats to list. */
export interface ChatListQuery {
  /** The id of the open chat. */
  readonly open: string;
  readonly limit: number;
}

export async function listChats(store: SessionStore, { open, limit }: ChatListQuery): Promise<ChatList> {
  const { items, cursor } = await store.listSessions({ order: "updated-desc", limit });
  const chats = items.map(summaryOf);
  const listed = chats.find(({ id }) => id === open);
  return { chats, hasMore: cursor !== undefined, open: listed ?? (await openChat(store, open)) };
}

/** A damaged chat must not take the list of the others away. */
async function openChat(store: SessionStore, id: string): Promise<ChatList["open"]> {
  try {
    const session = await store.getSession(id, { messages: "none" });
    return session === undefined ? "absent" : summaryOf(session);
  } catch (error) {
    if (SessionError.is(error, "SESSION_CORRUPTED")) return "damaged";
    // An address may have any text as the id. No chat has one that the store does not take.
    if (SessionError.is(error, "TOO_LARGE") || SessionError.is(error, "INVALID_ARGUMENT")) return "absent";
    throw error;
  }
}

function summaryOf({ id, title, revision, turn }: SessionSummary): ChatSummary {
  return { id, revision, isAnswering: turn?.status === "running", ...(title === undefined ? {} : { title }) };
}
