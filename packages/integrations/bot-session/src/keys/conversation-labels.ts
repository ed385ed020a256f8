import { type OperationInput, type SessionSummary, set } from "@sessions/protocol";
import type { KeySpace } from "./conversation-parts.js";

/** By which a bot's conversations are found again among all sessions of a store. */
export function labelsOf({ platform, account }: KeySpace): Readonly<Record<string, string>> {
  return { bot: "conversation", platform, ...(account === "" ? {} : { account }) };
}

/** Whether a conversation is this bot's: a label that is absent matches no query, and so does not tell. */
export function isOwn({ labels }: Pick<SessionSummary, "labels">, { account }: KeySpace): boolean {
  return (labels["account"] ?? "") === account;
}

/** Gives a conversation its labels, unless it is somebody's already: several bots may speak in one. */
export function labelling(
  session: Pick<SessionSummary, "labels"> | undefined,
  keys: KeySpace,
): readonly OperationInput[] {
  return session?.labels["bot"] === undefined ? [set({ labels: labelsOf(keys) })] : [];
}
