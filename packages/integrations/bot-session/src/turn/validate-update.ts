import { SessionError } from "@sessions/protocol";
import type { BotUpdate } from "../bot-update.js";

const refused = new WeakMap<object, BotUpdate>();

/**
 * Runs a step that may refuse an update. Its error is remembered with the update: a webhook must not ask for that update again. The
 * same code from elsewhere, such as a tool of the bot, does not mean that.
 */
export async function validateUpdate<Result>(
  update: BotUpdate,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (SessionError.is(error, "INVALID_ARGUMENT", "TOO_LARGE", "MESSAGE_ID_TAKEN"))
      refused.set(error, update);
    throw error;
  }
}

/** Whether an error means that this update can never be handled. */
export function isBadUpdate(error: unknown, update: BotUpdate): boolean {
  return SessionError.is(error) && Object.is(refused.get(error), update);
}
