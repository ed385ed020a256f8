import type { MutationResult } from "../api/mutation.js";
import { cloneDocument } from "../json/clone-json.js";
import type { Json } from "../json/json.js";
import type { MessageDraft } from "../message/message.js";
import { resultOf } from "./call.js";
import type { PlannedResult } from "./commit-planned.js";

/** The messages to store with a commit id, so that a repeated call returns them too. */
export function receiptOf(messages: readonly MessageDraft[]): Json {
  return cloneDocument(messages, "messages").value;
}

/** The result of a planned commit, from the plan's receipt. A repeated call gets the receipt of the first one. */
export function resultFromReceipt({ outcome, plan }: PlannedResult): MutationResult {
  const receipt: unknown = outcome.status === "duplicate" ? outcome.receipt : plan?.receipt;
  return resultOf(outcome, isMessages(receipt) ? receipt : []);
}

// Only `receiptOf` writes receipts. This check is for the compiler.
function isMessages(receipt: unknown): receipt is readonly MessageDraft[] {
  return Array.isArray(receipt);
}
