import type { SessionStore } from "@sessions/protocol";
import type { Watched } from "./fault-control.js";
import { judgeChanges } from "./judge-changes.js";
import { judgeReads } from "./judge-reads.js";
import type { CallContext } from "./operations/operation.js";
import { type Outcome, outcomeOf } from "./outcome.js";
import type { TrialTask, Tried } from "./tried.js";
import { viewOf } from "./view.js";

/** A call that takes longer counts as one that never settles. */
const DEADLINE_MS = 20_000;

export interface TrialReport {
  readonly watched: Watched;
  readonly told: readonly string[];
  /** Where the stored data differs from what callers were told. */
  readonly violations: readonly string[];
}

/** Makes the calls while one of their system calls fails, and compares what callers are told with what is stored. */
export async function runTrial(task: TrialTask): Promise<TrialReport> {
  const { operation, place, control, fault, onStep } = task;
  await onStep("opening the store");
  const { store, prepared } = await begun(task);
  const contextOf = (index: number, commitId: string, used = store): CallContext => ({
    get store() {
      if (used === undefined) throw new Error("this operation opens its own store");
      return used;
    },
    commitId: `${commitId}-${index}`,
    prepared,
    open: () => place.open(),
  });
  const again: Tried["again"] = (index, commitId, used) => {
    const call = operation.calls[index];
    if (call === undefined) throw new Error(`the operation has no call ${index}`);
    return inTime(outcomeOf(call(contextOf(index, commitId, used)), fault));
  };
  await onStep("making the calls");
  control.arm(fault);
  const outcomes = await Promise.all(operation.calls.map((_, index) => again(index, "first")));
  if (operation.tidies === true) await inTime(outcomeOf(store?.close() ?? Promise.resolve(), fault));
  const watched = control.disarm();
  await onStep("judging");
  const tried: Tried = { task, outcomes, again, store: operation.tidies === true ? undefined : store };
  const judged = operation.reads === true ? judgeReads : judgeChanges;
  const lies = outcomes.flatMap(({ lie }) => lie ?? []);
  return { watched, told: outcomes.map(({ told }) => told), violations: [...lies, ...(await judged(tried))] };
}

async function begun(task: TrialTask): Promise<{ store: SessionStore | undefined; prepared: string }> {
  const { operation, place, isWarm } = task;
  if (operation.on === "nothing") return { store: undefined, prepared: "" };
  const first = await place.open(operation.tidies);
  const prepared = (await operation.prepare?.(first)) ?? "";
  if (isWarm) {
    await viewOf(first);
    return { store: first, prepared };
  }
  await place.closeAll();
  return { store: await place.open(operation.tidies), prepared };
}

/** A call that never settles is a violation. The other checks continue. */
async function inTime(outcome: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const lie = `the call did not settle within ${DEADLINE_MS} ms`;
    timer = setTimeout(() => resolve({ meaning: "unknown", told: "nothing", lie }), DEADLINE_MS);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}
