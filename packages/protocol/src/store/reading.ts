import { checkSignal } from "../validate/mutation-options.js";
import type { StoreContext } from "./store-context.js";

/** Runs a read: refused when the store is closed, given up when `signal` aborts. */
export async function reading<Result>(
  context: StoreContext,
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  context.lifecycle.assertOpen();
  checkSignal(signal);
  signal?.throwIfAborted();
  const result = context.lifecycle.track(read);
  return signal === undefined ? result : orAborted(result, signal);
}

/** The result, or the reason of an abort if that comes first. */
async function orAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  if (signal.aborted) throw signal.reason;
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
