import { type Fields, isFields } from "../arguments/fields.js";
import { invalid } from "../arguments/invalid.js";
import { notify } from "./notify.js";
import { raceAbort } from "./race-abort.js";

/** Where an iterable of the user comes from. */
export interface UserIterable {
  /** Names it in errors: "the runner". */
  readonly source: string;
  /** Gets what the iterator throws while it is stopped. */
  readonly onReturnFailure?: (error: unknown) => void;
}

/**
 * Yields the values of a user's async iterable until `signal` aborts; then it throws the signal's reason at once. An iterator that
 * is left early gets a call of `return`, which is not awaited: one that ignores its signal may never settle.
 */
export async function* untilAborted<Value>(
  signal: AbortSignal,
  iterable: AsyncIterable<Value>,
  { source, onReturnFailure }: UserIterable,
): AsyncGenerator<Value, void, undefined> {
  const iterator = await raceAbort(signal, () => iteratorOf(iterable, source));
  let isDone = false;
  try {
    for (;;) {
      const next = await raceAbort(signal, () => iterator.next());
      if (!isFields(next)) throw invalid(`the iterator of ${source}`, "must give { done, value }.");
      isDone = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isDone) notify(() => iterator.return?.(), onReturnFailure);
  }
}

async function iteratorOf<Value>(
  iterable: AsyncIterable<Value>,
  source: string,
): Promise<AsyncIterator<Value>> {
  const given: unknown = iterable;
  // Awaited although it should not be a promise, because an unhandled rejection would end the process.
  const iterator = isIterable(given) ? await iterable[Symbol.asyncIterator]() : undefined;
  if (iterator !== undefined && isIterator(iterator)) return iterator;
  throw invalid(source, "must return an async iterable, such as an async generator.");
}

function isIterable(value: unknown): value is Fields {
  return isFields(value) && typeof Reflect.get(value, Symbol.asyncIterator) === "function";
}

function isIterator(value: unknown): boolean {
  return isFields(value) && typeof value["next"] === "function";
}
