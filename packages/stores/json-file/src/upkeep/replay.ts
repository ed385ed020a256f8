import {
  applyCommit,
  type CommitRequest,
  type CommitResult,
  copyOfState,
  type SessionState,
  stateOfImage,
} from "@sessions/protocol/backend";
import { requestOf } from "../session/lines/commit-entry.js";
import type { CommitEntry } from "../session/lines/journal-line.js";

/** What became of a commit that stands behind damage. `isNext`: no revision is missing right before it. */
export type Replayed =
  | { readonly status: "applied"; readonly state: SessionState | undefined; readonly isNext: boolean }
  | { readonly status: "known" }
  | { readonly status: "refused"; readonly reason: string };

/**
 * Applies a commit at the revision that it had, whatever is missing before it: turn tokens name revisions, so a commit at
 * another revision would cut off the turn that it begins. A commit of a turn whose beginning is missing is applied without
 * the turn: its writer held it, or the commit would not be in the journal.
 */
export function replay(state: SessionState | undefined, entry: CommitEntry, sessionId: string): Replayed {
  const request = requestOf(sessionId, entry);
  const before = state?.revision ?? 0;
  const plain = applyCommit(state, request);
  if (plain.outcome.status === "duplicate") return { status: "known" };
  if (leadsTo(entry.r, plain)) return { status: "applied", state: plain.state, isNext: true };
  if (entry.r <= before) return { status: "refused", reason: `revision ${entry.r} stands before it` };
  const moved = atRevision(state, entry.r - 1);
  const whole = applyCommit(moved, request);
  for (const step of [whole, ...withoutTurn(request).map((rest) => applyCommit(moved, rest))]) {
    if (leadsTo(entry.r, step))
      return { status: "applied", state: step.state, isNext: entry.r === before + 1 };
  }
  return { status: "refused", reason: reasonOf(whole) };
}

function leadsTo(revision: number, { outcome }: CommitResult): boolean {
  return outcome.status === "applied" && outcome.revision === revision;
}

function reasonOf({ outcome }: CommitResult): string {
  if (outcome.status === "rejected") return `it makes no sense without what is lost (${outcome.error.code})`;
  return "it changes nothing without what is lost";
}

/** The state as if the commits up to a revision had been there and had changed nothing. */
function atRevision(state: SessionState | undefined, revision: number): SessionState | undefined {
  if (state?.status === "live") return { ...copyOfState(state), revision };
  if (state !== undefined) return { ...state, revision };
  const nothing = { entries: [], horizon: 0 };
  return stateOfImage({ status: "deleted", revision, deletedAt: 0, given: nothing, generated: nothing });
}

function withoutTurn(request: CommitRequest): readonly CommitRequest[] {
  const { fence, ...rest } = request;
  const ops = request.ops.filter(({ op }) => op !== "turn");
  const isOfTurn = fence !== undefined || ops.length < request.ops.length;
  return isOfTurn && ops.length > 0 ? [{ ...rest, ops }] : [];
}
