import type { SessionSummary } from "@sessions/json-file";
import type { Chat } from "../chat.js";

/** The conversations that have messages, the newest first. */
export async function conversations({ agent }: Chat): Promise<readonly SessionSummary[]> {
  const all: SessionSummary[] = [];
  for await (const session of agent.listSessions()) if (session.messageCount > 0) all.push(session);
  return all;
}
