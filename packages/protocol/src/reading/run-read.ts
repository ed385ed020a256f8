import { READ_OPTIONS, type ReadOptions } from "../api/mutation.js";
import { type OptionNames, requireOptions } from "../arguments/options.js";
import type { StoreContext } from "../context/store-context.js";
import { untilAbort } from "../platform/until-abort.js";

/**
 * Runs a read: refused when the store is closed, given up when the signal aborts. The options are checked here, in an
 * async function: whatever a caller hands over, the method rejects and does not throw.
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

/** A read that takes no options. */
export function readingPlainly<Result>(context: StoreContext, read: () => Promise<Result>): Promise<Result> {
  return runRead(context, {}, READ_OPTIONS, read);
}
