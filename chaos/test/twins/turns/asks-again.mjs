import { createBotSession as make } from "@sessions/bot-session";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

/** Adds the prompt once more whenever its update is delivered again before it is answered. */
export function createBotSession({ store, ...options }) {
  const unnamed = ({ messages: { id: _id, ...prompt }, ...given }) => ({ ...given, messages: prompt });
  return make({ ...options, store: withTurns(store, { options: unnamed }) });
}
