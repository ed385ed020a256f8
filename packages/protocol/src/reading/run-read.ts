import { READ_OPTIONS, type ReadOptions } from "../api/mutation.js";
import { type OptionNames, requireOptions } from "../arguments/options.js";
import type { StoreContext } from "../context/store-context.js";
import { untilAbort } from "../platform/until-abort.js";

/**
 * Runs a read: it is refused if the store is closed, and abandoned when the signal aborts. The options are checked in
 * this async function, so that invalid arguments reject the promise instead of throwing.
 */
export async function runRead<Options extends ReadOptions, Result>(
  context: StoreContext,
  given: Options,
  names: OptionNames<Options>,
  read: (options: Options) => Promise<Result>,
  path = "options",
): Promise<Result> {
  context.lifecycle.assertOpen();
  const options = requireOptions(given, names, path);
  const { signal } = options;
  signal?.throwIfAborted();
  const result = context.lifecycle.track(() => read(options));
  return signal === undefined ? result : untilAbort(result, signal);
}

/** Runs a read without options. */
export function readWithoutOptions<Result>(
  context: StoreContext,
  read: () => Promise<Result>,
): Promise<Result> {
  return runRead(context, {}, READ_OPTIONS, read);
}
