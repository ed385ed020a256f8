import type { SummaryRecord } from "../../backend/session-backend.js";
import { commitOps, openCall } from "../../commit/call.js";
import type { StoreContext } from "../../context/store-context.js";
import { forksOf } from "./forks-of.js";

/**
 * Deletes the forks of a deleted session, and theirs. Without an incarnation the parent was gone already: then all
 * forks of that id are meant, except those of a session that has its id now.
 */
export async function deleteForks(
  context: StoreContext,
  parentId: string,
  incarnation: string | undefined,
): Promise<void> {
  const successor = (await context.backend.read(parentId, { messages: "none" }))?.incarnation;
  for await (const fork of forksOf(context, parentId)) {
    if (!isMeant(fork, incarnation, successor)) continue;
    await commitOps(
      context,
      openCall(context, fork.id, "deleteSession", () => ({})),
      [{ op: "delete" }],
    );
    await deleteForks(context, fork.id, fork.incarnation);
  }
}

function isMeant(
  fork: SummaryRecord,
  incarnation: string | undefined,
  successor: string | undefined,
): boolean {
  const parent = fork.parent?.incarnation;
  return incarnation === undefined ? parent !== successor : parent === incarnation;
}
