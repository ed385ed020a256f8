import { type OperationInput, type SessionSummary, set } from "@sessions/protocol";
import type { KeySpace } from "./conversation-parts.js";

/** The labels by which a bot's conversations are listed. */
export function conversationLabels({ platform, account }: KeySpace): Readonly<Record<string, string>> {
  return { bot: "conversation", platform, ...(account === "" ? {} : { account }) };
}

/** Whether a listed conversation belongs to this bot: a query cannot ask for an absent label, so the account is compared here. */
export function isOfAccount({ labels }: Pick<SessionSummary, "labels">, { account }: KeySpace): boolean {
  return (labels["account"] ?? "") === account;
}

/** Labels a conversation, unless it is labelled already: several bots may share one. */
export function labelConversation(
  session: Pick<SessionSummary, "labels"> | undefined,
  keys: KeySpace,
): readonly OperationInput[] {
  return session?.labels["bot"] === undefined ? [set({ labels: conversationLabels(keys) })] : [];
}
