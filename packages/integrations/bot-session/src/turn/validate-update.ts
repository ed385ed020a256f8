import { SessionError } from "@sessions/protocol";
import type { BotUpdate } from "../bot-update.js";

const refused = new WeakMap<object, BotUpdate>();

/**
 * Does what can find out that an update is none. Such an error is remembered with its update: a webhook must not ask for
 * it again, and the same code from elsewhere, such as a tool of the bot's, does not mean that.
 */
export async function judging<Result>(
  update: BotUpdate,
  judge: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await judge();
  } catch (error) {
    if (SessionError.is(error, "INVALID_ARGUMENT", "TOO_LARGE", "MESSAGE_ID_TAKEN"))
      refused.set(error, update);
    throw error;
  }
}

/** Whether an error says that this update cannot be handled, however often it is delivered. */
export function isBadUpdate(error: unknown, update: BotUpdate): boolean {
  return SessionError.is(error) && Object.is(refused.get(error), update);
}
