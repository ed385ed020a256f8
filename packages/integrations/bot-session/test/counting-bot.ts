import type { SessionStore } from "@sessions/protocol";
import { type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";

/** A bot of one user that answers with the number of messages it got. */
export function countingBot(store: SessionStore, options: Partial<BotSessionOptions> = {}): BotSession {
  return createBotSession({
    store,
    platform: "test",
    scope: "user",
    respond: ({ messages }) => `answer ${messages.length}`,
    ...options,
  });
}
