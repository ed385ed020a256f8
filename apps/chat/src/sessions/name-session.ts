import { type SessionStore, textOf } from "@sessions/json-file";
import { titleFor } from "./title.js";

/** Gives a conversation that has no title yet the first words that were said in it. */
export async function nameSession(store: SessionStore, sessionId: string): Promise<void> {
  const session = await store.getSession(sessionId, { messages: "none" });
  if (session === undefined || session.title !== undefined) return;
  const [first] = await store.getChatHistory(sessionId, { roles: ["user"] });
  if (first !== undefined) await store.patchSession(sessionId, { title: titleFor(textOf(first)) });
}
