import type { SessionStore } from "@sessions/protocol";
import type { CallCounts } from "./fault-control.js";
import { judgeChanges } from "./judge-changes.js";
import { judgeReads } from "./judge-reads.js";
import { callContext } from "./operations/call-context.js";
import { type Outcome, outcomeOf } from "./outcome.js";
import type { TrialCalls, TrialTask } from "./trial-calls.js";
import { viewOf } from "./view.js";

/** A call that takes longer counts as one that never settles. */
const DEADLINE_MS = 20_000;

export interface TrialReport {
  readonly counts: CallCounts;
  readonly answers: readonly string[];
  /** Where the stored data differs from the answers. */
  readonly violations: readonly string[];
}

/** Makes the calls while one of their system calls fails, and compares the answers with the stored data. */
export async function runTrial(task: TrialTask): Promise<TrialReport> {
  const { operation, folder, control, fault, onStep } = task;
  await onStep("opening the store");
  const { store, prepared } = await openedStore(task);
  const makeCall: TrialCalls["makeCall"] = (index, id, otherStore = store) => {
    const call = operation.calls[index];
    if (call === undefined) throw new Error(`the operation has no call ${index}`);
    const open = () => folder.open();
    const context = callContext({ store: otherStore, commitId: `${id}-${index}`, prepared, open });
    return inTime(outcomeOf(call(context), fault));
  };
  await onStep("making the calls");
  control.arm(fault);
  const outcomes = await Promise.all(operation.calls.map((_, index) => makeCall(index, "first")));
  if (operation.runsUpkeep === true) await inTime(outcomeOf(store?.close() ?? Promise.resolve(), fault));
  const counts = control.disarm();
  await onStep("judging");
  const calls: TrialCalls = {
    task,
    outcomes,
    makeCall,
    store: operation.runsUpkeep === true ? undefined : store,
  };
  const judge = operation.reads === true ? judgeReads : judgeChanges;
  const wrongAnswers = outcomes.flatMap(({ wrongAnswer }) => wrongAnswer ?? []);
  return {
    counts,
    answers: outcomes.map(({ answer }) => answer),
    violations: [...wrongAnswers, ...(await judge(calls))],
  };
}

async function openedStore(task: TrialTask): Promise<{ store: SessionStore | undefined; prepared: string }> {
  const { operation, folder, isWarm } = task;
  if (operation.on === "nothing") return { store: undefined, prepared: "" };
  const first = await folder.open(operation.runsUpkeep);
  const prepared = (await operation.prepare?.(first)) ?? "";
  if (isWarm) {
    await viewOf(first);
    return { store: first, prepared };
  }
  await folder.closeAll();
  return { store: await folder.open(operation.runsUpkeep), prepared };
}

/** A call that never settles is a violation. The other checks continue. */
async function inTime(outcome: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const wrongAnswer = `the call did not settle within ${DEADLINE_MS} ms`;
    timer = setTimeout(() => resolve({ effect: "unknown", answer: "nothing", wrongAnswer }), DEADLINE_MS);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}
