import type { Runs } from "@sessions/protocol";
import {
  type Applied,
  type CommitRequest,
  foreseen,
  type LiveState,
  type MessageDraft,
  runsToMerge,
} from "@sessions/protocol";
import { isBeyond } from "./row-number.js";
import { runsOf } from "./runs-of.js";
import type { OwnLog, StoredSession } from "./stored-session.js";

/** A commit that does nothing but add one message behind the last one. */
export interface PlainAppend {
  readonly request: CommitRequest;
  readonly draft: MessageDraft;
  readonly session: StoredSession;
  readonly state: LiveState;
  readonly log: OwnLog;
  /** What the session held before. */
  readonly head: Runs;
  readonly outcome: Applied;
}

type Rule = (append: PlainAppend) => boolean;

/** What must be so, beside that the outcome can be foreseen: else there is more to write than a row and the session's. */
export const RULES: Readonly<Record<string, Rule>> = {
  "the commit id is a generated one": ({ request }) => request.digest === undefined,
  "the message is complete": ({ draft }) => draft.status !== "partial",
  "its row is the next one of the last run": ({ head, log }) => head.list.at(-1)?.to === log.nextRow,
  "the run has no revision of its own": ({ head }) => head.list.at(-1)?.revision === undefined,
  "the runs need not be merged": ({ head }) => runsToMerge(head.list) === undefined,
  "the log has room": ({ log }) => !isBeyond(log.id, log.nextRow),
};

/** A request on a session as a plain append. `undefined` if it is anything else. */
export function plainAppend(
  session: StoredSession,
  request: CommitRequest,
  rules: readonly Rule[],
): PlainAppend | undefined {
  const { state, log } = session;
  const outcome = foreseen(state, request);
  const [op] = request.ops;
  if (outcome === undefined || state.status !== "live" || log === undefined || op?.op !== "append")
    return undefined;
  const [draft] = op.messages;
  if (draft === undefined) return undefined;
  const append = { request, draft, session, state, log, head: runsOf(state.history), outcome };
  for (const holds of rules) if (!holds(append)) return undefined;
  return append;
}
