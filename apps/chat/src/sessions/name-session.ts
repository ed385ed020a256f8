import { type SessionStore, textOf } from "@sessions/json-file";
import { titleFor } from "./title.js";

/** Sets the title of a conversation without one to the first words of the user. */
export async function nameSession(store: SessionStore, sessionId: string): Promise<void> {
  const session = await store.getSession(sessionId, { messages: "none" });
  if (session === undefined || session.title !== undefined) return;
  const [first] = await store.getChatHistory(sessionId, { roles: ["user"] });
  if (first !== undefined) await store.patchSession(sessionId, { title: titleFor(textOf(first)) });
}
