import type { CommitOutcome, Duplicate } from "../backend/commit-outcome.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { NextId } from "../ids/call-ids.js";
import type { Operation } from "../operations/operation.js";
import { Backoff } from "../platform/backoff.js";
import { type Call, type RequestExtras, requestOf, type Settled, throwIfRejected } from "./call.js";
import { observeLeaseIfBusy } from "./observe-lease-if-busy.js";

/** What a plan comes to: operations under a condition, or nothing to do. */
export interface Plan extends RequestExtras {
  readonly ops: readonly Operation[];
  /** For a plan of no operations: where the session stands. */
  readonly revision?: number;
  /** Why the caller's request cannot be planned. It is thrown once the call's own conditions hold, and not planned again. */
  readonly refused?: SessionError;
}

/** Reads what it needs and plans the operations. Called again when somebody else was faster. */
export type MakePlan = (nextId: NextId) => Promise<Plan>;

/** What became of a planned commit, and the plan that was carried out, unless an earlier call carried it out. */
export interface PlannedResult {
  readonly outcome: Settled;
  readonly plan?: Plan;
}

/**
 * Commits a computed change. The commit-id window is asked before a plan is made: a repeat must not be planned on
 * what the first call left behind.
 */
export async function commitPlanned(
  context: StoreContext,
  call: Call,
  makePlan: MakePlan,
): Promise<PlannedResult> {
  let carriedOut: Plan | undefined;
  const run = async (): Promise<CommitOutcome> => {
    const known = await askWindow(context, call);
    if (known !== undefined) return known;
    return retryConflicts(context, call, async () => {
      carriedOut = await makePlan(call.ids.restart());
      return commitPlan(context, call, carriedOut);
    });
  };
  const { queue, lifecycle } = context;
  const outcome = await lifecycle.track(() =>
    observeLeaseIfBusy(
      context,
      call.sessionId,
      queue.enqueuePlan(call.sessionId, run, { toResult: throwIfRejected, signal: call.options.signal }),
    ),
  );
  return carriedOut === undefined || outcome.status === "duplicate"
    ? { outcome }
    : { outcome, plan: carriedOut };
}

/** An empty commit writes nothing and says whether its id is known. */
async function askWindow(context: StoreContext, call: Call): Promise<Duplicate | undefined> {
  if (call.digest === undefined) return undefined;
  const settled = throwIfRejected(await context.queue.sendForPlan(requestOf(context, call, [])));
  return settled.status === "duplicate" ? settled : undefined;
}

async function commitPlan(context: StoreContext, call: Call, plan: Plan): Promise<CommitOutcome> {
  const { ops, revision, refused, ...extras } = plan;
  if (refused !== undefined) return refuse(context, call, refused);
  if (ops.length === 0 && !hasConditions(call)) {
    return { status: "unchanged", revision: revision ?? 0, at: context.clock.now() };
  }
  return context.queue.sendForPlan(
    requestOf(context, call, ops.length === 0 ? NOTHING : ops, withCallersConditions(call, extras)),
  );
}

// Fence and revision are checked before the request itself: a holder who lost the turn hears that, not a conflict.
async function refuse(context: StoreContext, call: Call, refused: SessionError): Promise<CommitOutcome> {
  const checked = hasConditions(call)
    ? await context.queue.sendForPlan(requestOf(context, call, NOTHING))
    : undefined;
  if (checked?.status === "rejected") return checked;
  throw refused;
}

/** Changes nothing, but is checked as every commit is: conditions count though there is nothing to do. */
const NOTHING: readonly Operation[] = [{ op: "append", messages: [], onExisting: "fail" }];

function hasConditions({ options }: Call): boolean {
  const { ifRevision, ifAbsent, ifIdle, fence } = options;
  return ifRevision !== undefined || ifAbsent === true || ifIdle === true || fence !== undefined;
}

// A condition of the caller's is the caller's to resolve; one of the plan's own only means "plan again".
function withCallersConditions(call: Call, extras: RequestExtras): RequestExtras {
  const { receipt, ...conditions } = extras;
  const kept = call.digest === undefined || receipt === undefined ? {} : { receipt };
  return call.options.ifRevision === undefined ? { ...conditions, ...kept } : kept;
}

async function retryConflicts(
  context: StoreContext,
  call: Call,
  attempt: () => Promise<CommitOutcome>,
): Promise<CommitOutcome> {
  const { clock, conflictDeadlineMs, random } = context;
  const { signal } = call.options;
  const pauses = { firstPauseMs: 1, maxPauseMs: 50, deadlineMs: conflictDeadlineMs, random, signal };
  const backoff = new Backoff(clock, pauses);
  for (;;) {
    const outcome = await attempt();
    if (outcome.status !== "rejected" || !isOwnConflict(call, outcome.error)) return outcome;
    if (!(await backoff.pause()))
      return { status: "rejected", error: tooBusy(call, backoff.elapsedMs, outcome.error) };
  }
}

// A plan names the revision that it was made on (0: no session). If the caller named one, the conflict is the caller's.
function isOwnConflict(call: Call, error: SessionError): boolean {
  return SessionError.is(error, "REVISION_CONFLICT") && call.options.ifRevision === undefined;
}

function tooBusy(call: Call, waitedMs: number, cause: unknown): SessionError {
  return SessionError.of(
    "STORE_BUSY",
    `Others changed session "${call.sessionId}" faster than this change could be computed. Nothing was changed; try again.`,
    { sessionId: call.sessionId, waitedMs, cause },
  );
}
