import {
  append,
  count,
  type OperationInput,
  SessionError,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";
import { mayPass, retried } from "./retried.js";
import { type Patience, savePatiently } from "./save-patiently.js";
import { saveWhatFits } from "./save-what-fits.js";
import { withAnswers } from "./tidied.js";
import { turnMessages } from "./turn-messages.js";

/** How a turn ends that did not complete. */
export interface FailedEnd {
  readonly store: SessionStore;
  readonly turn: Turn;
  readonly patience: Patience;
  readonly cause: unknown;
  readonly outcome: "failed" | "interrupted";
  /** What there is of the answer that is not stored yet. Absent: some of it may be stored, and it is not known what. */
  readonly rest?: readonly OperationInput[];
  readonly counters: Readonly<Record<string, number>>;
  /** What else belongs into the commit that ends the turn. */
  readonly ending: readonly OperationInput[];
}

/**
 * Ends a turn that did not complete, with all that there is of its answer. What the store refuses is reduced until it takes
 * it: as much of the answer as fits, then no counters, and at last nothing but the end itself.
 */
export async function endFailed(end: FailedEnd): Promise<void> {
  const counted = Object.keys(end.counters).length === 0 ? [] : [count(end.counters)];
  if (end.rest !== undefined && (await isEnded(end, [...end.rest, ...counted, ...end.ending]))) return;
  const answers = await missingAnswers(end);
  for (const ops of [[...answers, ...counted, ...end.ending], [...answers, ...end.ending], end.ending])
    if (await isEnded(end, ops)) return;
  await end.turn.fail(end.cause, [], { outcome: end.outcome });
}

/** `false` if the store does not take these operations; with fewer it may. */
async function isEnded(
  { turn, patience, cause, outcome }: FailedEnd,
  ops: readonly OperationInput[],
): Promise<boolean> {
  try {
    await savePatiently(patience, (options) => turn.fail(cause, ops, { ...options, outcome }));
    return true;
  } catch (error) {
    if (mayPass(error) || SessionError.is(error, "TURN_LOST", "STORE_CLOSED")) throw error;
    return false;
  }
}

/**
 * Saves what fits of the answer, and gives a result for each call that it leaves open. Where that fails the turn ends all the
 * same: whoever comes next answers open calls.
 */
async function missingAnswers(end: FailedEnd): Promise<readonly OperationInput[]> {
  const { store, turn, patience, rest = [] } = end;
  try {
    await saveWhatFits(rest, (ops) => savePatiently(patience, (options) => turn.commit(ops, options)));
    const read = (): ReturnType<typeof turnMessages> => turnMessages(store, turn.sessionId, turn.turnId);
    const { answers } = await retried(patience, read);
    const stored = new Set(answers.map(({ id }) => id));
    const missing = withAnswers(answers, patience.newId).filter(({ id }) => !stored.has(id));
    return missing.length === 0 ? [] : [append(missing)];
  } catch {
    return []; // if the store is gone, the commit that ends the turn says so
  }
}
