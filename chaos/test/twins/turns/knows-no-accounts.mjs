import { createBotSession as make } from "@sessions/bot-session";

export { open } from "./faulty-store.mjs";

/** Keeps the users of all accounts in the same conversations. */
export const createBotSession = ({ account: _account, ...options }) => make(options);
