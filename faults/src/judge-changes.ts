import { SessionError } from "@sessions/protocol";
import { setsBetween } from "./expectations.js";
import { OTHER_WRITER } from "./fault.js";
import type { Outcome } from "./outcome.js";
import type { Tried } from "./tried.js";
import { viewOf } from "./view.js";

/**
 * The stored data must match what callers were told: in a new store, in a store after a kill, in another process, and in
 * the store that met the fault unless it refuses. Then every failed call is made again, as a user would do, and each call
 * must have had its effect exactly once.
 */
export async function judgeChanges(tried: Tried): Promise<readonly string[]> {
  const { task, outcomes } = tried;
  const { place } = task;
  const allowed = await allowedViews(tried);
  const there = [
    ...(await oneOf(allowed, () => place.freshView(), "a new store")),
    ...(await oneOf(allowed, () => place.viewAfterKill(), "a store after a kill")),
    ...(await refusedOrSame(tried, await viewOrFailure(() => place.freshView()))),
  ];
  // After a violation the checks below would only repeat it.
  if (there.length > 0 || outcomes.some(({ lie }) => lie !== undefined)) return there;
  return [...(await retried(tried)), ...(await afterwards(tried))];
}

/** Every state that agrees with what callers were told. */
async function allowedViews({ task, outcomes }: Tried): Promise<ReadonlyMap<string, string>> {
  const calls = outcomes.map((_, index) => index);
  const done = calls.filter((index) => outcomes[index]?.meaning === "done");
  const possible = calls.filter((index) => outcomes[index]?.meaning !== "nothing changed");
  const views = new Map<string, string>();
  for (const set of setsBetween(done, possible))
    views.set(await task.expectations.after(set, hasOtherWriter(task)), `calls ${set.join(", ")}`);
  return views;
}

async function retried({ task, outcomes, again, store }: Tried): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.meaning === "done") continue;
    await task.onStep(`making call ${index} again`);
    const commitId = outcome.meaning === "unknown" ? "first" : "retry";
    const first = store === undefined ? undefined : await again(index, commitId, store);
    // The store that met the fault may refuse every later call. A new store must not.
    const last = first?.meaning === "done" ? first : await again(index, commitId, await task.place.open());
    if (last.meaning !== "done" && !isRunningTurn(outcome, last))
      found.push(`told ${outcome.told}, the call was made again on a new store, and failed: ${last.told}`);
    if (first?.lie !== undefined) found.push(`the retry after ${outcome.told}: ${first.lie}`);
  }
  return found;
}

/** A turn whose begin has an unknown outcome may be running. Then the retry is refused until its lease ends. */
function isRunningTurn(before: Outcome, { told }: Outcome): boolean {
  return before.meaning === "unknown" && told === "TURN_BUSY";
}

async function afterwards({ task, outcomes }: Tried): Promise<readonly string[]> {
  const { place, expectations, viewInProcess, onStep } = task;
  await onStep("judging after the retry");
  const all = await expectations.after([...outcomes.keys()], hasOtherWriter(task));
  const live = await sameAs(all, () => place.freshView(), "a new store after the retry");
  const killed = await sameAs(all, () => place.viewAfterKill(), "a store after the retry and a kill");
  const inProcess =
    viewInProcess === undefined
      ? []
      : await sameAs(all, () => viewInProcess(place.folder), "a process of its own after the retry");
  await place.closeAll();
  return [
    ...live,
    ...killed,
    ...inProcess,
    ...(await sameAs(all, () => place.freshView(), "a restarted store")),
  ];
}

const hasOtherWriter = (task: Tried["task"]): boolean => task.fault?.kind === OTHER_WRITER;

/** The store that met the fault shows the same as a new store, or fails. It must not show anything else. */
export async function refusedOrSame({ store }: Tried, view: string): Promise<readonly string[]> {
  if (store === undefined) return [];
  try {
    return differing(new Map([[view, "a new store"]]), await viewOf(store), "the store that was hit");
  } catch (error) {
    return SessionError.is(error) ? [] : [`the store that was hit failed with ${String(error)}`];
  }
}

/** No violation if the store shows this view. */
export async function sameAs(
  view: string,
  look: () => Promise<string>,
  what: string,
): Promise<readonly string[]> {
  return oneOf(new Map([[view, "expected"]]), look, what);
}

async function oneOf(
  views: ReadonlyMap<string, string>,
  look: () => Promise<string>,
  what: string,
): Promise<readonly string[]> {
  return differing(views, await viewOrFailure(look), what);
}

async function viewOrFailure(look: () => Promise<string>): Promise<string> {
  try {
    return await look();
  } catch (error) {
    return `failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function differing(views: ReadonlyMap<string, string>, found: string, what: string): readonly string[] {
  if (views.has(found)) return [];
  const [nearest = ""] = views.keys();
  return [`${what} shows something else than callers were told: ${firstDifference(nearest, found)}`];
}

/** The first line in which two texts differ. */
function firstDifference(expected: string, found: string): string {
  const lines = expected.split("\n");
  const others = found.split("\n");
  const at = others.findIndex((line, index) => line !== lines[index]);
  return `line ${at + 1} is ${JSON.stringify(others[at])}, and not ${JSON.stringify(lines[at])}`;
}
