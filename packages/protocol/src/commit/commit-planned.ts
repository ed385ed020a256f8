import type { CommitOutcome, Duplicate } from "../backend/commit-outcome.js";
import { conflictBackoff } from "../context/conflict-backoff.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { NextId } from "../ids/call-ids.js";
import type { Operation } from "../operations/operation.js";
import { type Call, type RequestExtras, requestOf, type Settled, throwIfRejected } from "./call.js";
import { observeLeaseIfBusy } from "./observe-lease-if-busy.js";

/** The result of planning: operations and their conditions, or nothing to do. */
export interface Plan extends RequestExtras {
  readonly ops: readonly Operation[];
  /** For a plan without operations: the current revision. */
  readonly revision?: number;
  /** Why the request cannot be planned. It is thrown if the call's own conditions hold. The plan is not retried. */
  readonly refused?: SessionError;
}

/** Reads the session and plans the operations. Called again if another process changed the session in between. */
export type MakePlan = (nextId: NextId) => Promise<Plan>;

/** The outcome of a planned commit, and the plan, unless an earlier call carried it out. */
export interface PlannedResult {
  readonly outcome: Settled;
  readonly plan?: Plan;
}

/**
 * Commits a computed change. The commit-id window is checked before a plan is made: a repeated call must not be planned
 * on the result of the first one.
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

/** An empty commit writes nothing and returns whether its id is known. */
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

// Fence and revision are checked first, so a holder that lost its turn gets TURN_LOST and not this refusal.
async function refuse(context: StoreContext, call: Call, refused: SessionError): Promise<CommitOutcome> {
  const checked = hasConditions(call)
    ? await context.queue.sendForPlan(requestOf(context, call, NOTHING))
    : undefined;
  if (checked?.status === "rejected") return checked;
  throw refused;
}

/** Changes nothing, but its conditions are checked like those of any commit. */
const NOTHING: readonly Operation[] = [{ op: "append", messages: [], onExisting: "fail" }];

function hasConditions({ options }: Call): boolean {
  const { ifRevision, ifAbsent, ifIdle, fence } = options;
  return ifRevision !== undefined || ifAbsent === true || ifIdle === true || fence !== undefined;
}

// If the caller's own condition fails, the caller must resolve it. If the plan's condition fails, the change is planned
// again.
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
  const backoff = conflictBackoff(context, call.options.signal);
  for (;;) {
    const outcome = await attempt();
    if (outcome.status !== "rejected" || !isOwnConflict(call, outcome.error)) return outcome;
    if (!(await backoff.pause()))
      return { status: "rejected", error: tooBusy(call, backoff.elapsedMs, outcome.error) };
  }
}

// A plan has the revision that it was made on (0: no session). If the caller passed `ifRevision`, the conflict is the
// caller's.
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
