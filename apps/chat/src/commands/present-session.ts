import type { Session } from "@sessions/json-file";
import type { Chat } from "../chat.js";
import { UsageError } from "../usage-error.js";

/** The current conversation, for commands that need one. It exists after the first message. */
export async function presentSession({ store, agent }: Chat): Promise<Session> {
  const session = await store.getSession(agent.sessionId, { messages: "none" });
  if (session === undefined) throw new UsageError("Nothing was said in this conversation yet.");
  return session;
}
