import { SessionError } from "@sessions/protocol";
import { setsBetween } from "./expectations.js";
import { OTHER_WRITER } from "./fault.js";
import type { Outcome } from "./outcome.js";
import { stackOf } from "./stack-of.js";
import type { TrialCalls } from "./trial-calls.js";
import { viewOf } from "./view.js";

/**
 * The stored data must match the answers that callers got: in a new store, in a store after a kill, in another process, and in
 * the store that met the fault unless it refuses. Then every failed call is made again, as a user would do, and each call
 * must have had its effect exactly once.
 */
export async function judgeChanges(calls: TrialCalls): Promise<readonly string[]> {
  const { task, outcomes } = calls;
  const { folder } = task;
  const allowed = await allowedViews(calls);
  const found = [
    ...(await oneOf(allowed, () => folder.freshView(), "a new store")),
    ...(await oneOf(allowed, () => folder.viewAfterKill(), "a store after a kill")),
    ...(await refusedOrSame(calls, await viewOrFailure(() => folder.freshView()))),
  ];
  // After a violation the checks below would only repeat it.
  if (found.length > 0 || outcomes.some(({ wrongAnswer }) => wrongAnswer !== undefined)) return found;
  return [...(await checkRetries(calls)), ...(await checkAfterRetries(calls))];
}

/** All contents that match the answers that callers got. */
async function allowedViews({ task, outcomes }: TrialCalls): Promise<ReadonlyMap<string, string>> {
  const calls = outcomes.map((_, index) => index);
  const done = calls.filter((index) => outcomes[index]?.effect === "done");
  const possible = calls.filter((index) => outcomes[index]?.effect !== "nothing changed");
  const views = new Map<string, string>();
  for (const set of setsBetween(done, possible))
    views.set(await task.expectations.after(set, hasOtherWriter(task)), `calls ${set.join(", ")}`);
  return views;
}

async function checkRetries({ task, outcomes, makeCall, store }: TrialCalls): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.effect === "done") continue;
    await task.onStep(`making call ${index} again`);
    const commitId = outcome.effect === "unknown" ? "first" : "retry";
    const first = store === undefined ? undefined : await makeCall(index, commitId, store);
    // The store that met the fault may refuse every later call. A new store must not.
    const last = first?.effect === "done" ? first : await makeCall(index, commitId, await task.folder.open());
    if (last.effect !== "done" && !isRunningTurn(outcome, last))
      found.push(
        `after ${outcome.answer}, the call was made again on a new store, and failed: ${last.answer}`,
      );
    if (first?.wrongAnswer !== undefined)
      found.push(`the retry after ${outcome.answer}: ${first.wrongAnswer}`);
  }
  return found;
}

/** A turn whose begin has an unknown outcome may be running. Then the retry is refused until its lease ends. */
function isRunningTurn(before: Outcome, { answer }: Outcome): boolean {
  return before.effect === "unknown" && answer === "TURN_BUSY";
}

async function checkAfterRetries({ task, outcomes }: TrialCalls): Promise<readonly string[]> {
  const { folder, expectations, viewInProcess, onStep } = task;
  await onStep("judging after the retry");
  const all = await expectations.after([...outcomes.keys()], hasOtherWriter(task));
  const live = await sameAs(all, () => folder.freshView(), "a new store after the retry");
  const killed = await sameAs(all, () => folder.viewAfterKill(), "a store after the retry and a kill");
  const inProcess =
    viewInProcess === undefined
      ? []
      : await sameAs(all, () => viewInProcess(folder.path), "another process after the retry");
  await folder.closeAll();
  return [
    ...live,
    ...killed,
    ...inProcess,
    ...(await sameAs(all, () => folder.freshView(), "a restarted store")),
  ];
}

const hasOtherWriter = (task: TrialCalls["task"]): boolean => task.fault?.kind === OTHER_WRITER;

/** The store that met the fault shows the same as a new store, or fails. It must not show anything else. */
export async function refusedOrSame({ store }: TrialCalls, view: string): Promise<readonly string[]> {
  if (store === undefined) return [];
  try {
    return differing(new Map([[view, "a new store"]]), await viewOf(store), "the store that met the fault");
  } catch (error) {
    return SessionError.is(error) ? [] : [`the store that met the fault failed with ${String(error)}`];
  }
}

/** Returns no violation if the store shows this view. */
export async function sameAs(
  view: string,
  readView: () => Promise<string>,
  what: string,
): Promise<readonly string[]> {
  return oneOf(new Map([[view, "expected"]]), readView, what);
}

async function oneOf(
  views: ReadonlyMap<string, string>,
  readView: () => Promise<string>,
  what: string,
): Promise<readonly string[]> {
  return differing(views, await viewOrFailure(readView), what);
}

async function viewOrFailure(readView: () => Promise<string>): Promise<string> {
  try {
    return await readView();
  } catch (error) {
    return `failed: ${stackOf(error)}`;
  }
}

function differing(views: ReadonlyMap<string, string>, found: string, what: string): readonly string[] {
  if (views.has(found)) return [];
  const [nearest = ""] = views.keys();
  return [
    `${what} shows something else than the answers that callers got: ${firstDifference(nearest, found)}`,
  ];
}

/** The first line in which two texts differ. */
function firstDifference(expected: string, found: string): string {
  const lines = expected.split("\n");
  const others = found.split("\n");
  const at = others.findIndex((line, index) => line !== lines[index]);
  return `line ${at + 1} is ${JSON.stringify(others[at])}, and not ${JSON.stringify(lines[at])}`;
}
