import type { KeySpace } from "../keys/conversation-parts.js";

/** By which a bot's conversations are found again among all sessions of a store. */
export function labelsOf({ platform, account }: KeySpace): Readonly<Record<string, string>> {
  return { bot: "conversation", platform, ...(account === "" ? {} : { account }) };
}
