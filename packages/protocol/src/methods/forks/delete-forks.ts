import type { SummaryRecord } from "../../backend/session-backend.js";
import { commitOps, openCall } from "../../commit/call.js";
import type { StoreContext } from "../../context/store-context.js";
import { forksOf } from "./forks-of.js";

/**
 * Deletes the forks of a deleted session, and their forks. `incarnation` is undefined if the parent was already
 * deleted. Then all forks of the id are deleted, except those of a session that has the id now.
 */
export async function deleteForks(
  context: StoreContext,
  parentId: string,
  incarnation: string | undefined,
): Promise<void> {
  const successor = (await context.backend.read(parentId, { messages: "none" }))?.incarnation;
  for await (const fork of forksOf(context, parentId)) {
    if (!mustBeDeleted(fork, incarnation, successor)) continue;
    await commitOps(
      context,
      openCall(context, fork.id, "deleteSession", () => ({})),
      [{ op: "delete" }],
    );
    await deleteForks(context, fork.id, fork.incarnation);
  }
}

function mustBeDeleted(
  fork: SummaryRecord,
  incarnation: string | undefined,
  successor: string | undefined,
): boolean {
  const parent = fork.parent?.incarnation;
  return incarnation === undefined ? parent !== successor : parent === incarnation;
}
