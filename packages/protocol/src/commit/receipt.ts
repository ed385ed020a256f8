import type { MutationResult } from "../api/mutation.js";
import { cloneDocument } from "../json/clone-json.js";
import type { Json } from "../json/json.js";
import type { MessageDraft } from "../message/message.js";
import { resultOf } from "./call.js";
import type { PlannedResult } from "./commit-planned.js";

/** Messages as a session keeps them with a commit id, so that a repeat is told of them. */
export function receiptOf(messages: readonly MessageDraft[]): Json {
  return cloneDocument(messages, "messages").value;
}

/** What the caller of a planned commit is told: by the plan's receipt or, for a repeat, by that of the first call. */
export function resultFromReceipt({ outcome, plan }: PlannedResult): MutationResult {
  const receipt: unknown = outcome.status === "duplicate" ? outcome.receipt : plan?.receipt;
  return resultOf(outcome, isMessages(receipt) ? receipt : []);
}

// Receipts are written by `receiptOf` alone; this tells the compiler.
function isMessages(receipt: unknown): receipt is readonly MessageDraft[] {
  return Array.isArray(receipt);
}
