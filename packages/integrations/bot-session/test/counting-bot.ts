import type { SessionStore } from "@sessions/protocol";
import { type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";

/** A bot that answers with the number of messages that the model got. */
export function countingBot(store: SessionStore, options: Partial<BotSessionOptions> = {}): BotSession {
  return createBotSession({
    store,
    platform: "test",
    scope: "user",
    respond: ({ messages }) => `answer ${messages.length}`,
    ...options,
  });
}
