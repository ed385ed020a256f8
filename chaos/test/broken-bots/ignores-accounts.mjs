import { createBotSession as make } from "@sessions/bot-session";

export { open } from "./with-turns.mjs";

/** Uses the same conversation for a user of both accounts. */
export const createBotSession = ({ account: _account, ...options }) => make(options);
