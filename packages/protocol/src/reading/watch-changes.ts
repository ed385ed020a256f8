import { READ_OPTIONS, type ReadOptions } from "../api/mutation.js";
import { invalid } from "../arguments/invalid-argument.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { type Change, WATCH_TARGET, type WatchTarget } from "../backend/change.js";
import { linkAbort } from "../context/linked-abort.js";
import type { StoreContext } from "../context/store-context.js";
import { keepProcessAlive } from "../platform/keep-process-alive.js";
import { untilAbort } from "../platform/until-abort.js";
import { refusePageCursor } from "./page-cursor.js";

const TARGET = { ...WATCH_TARGET, ...READ_OPTIONS };

/**
 * The feed, until the caller's signal aborts, the caller leaves the loop, or the store closes (STORE_CLOSED). An async
 * generator alone is not enough: its `return()` waits for the pending `next()`, and the next change may never come. A
 * pending `next()` keeps the process alive, whatever the backend uses to wait.
 */
export function watchChanges(
  context: StoreContext,
  target: WatchTarget & ReadOptions = {},
): AsyncIterableIterator<Change> {
  const left = new AbortController();
  const changes = changesUntil(left.signal, context, target);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => keepProcessAlive(changes.next()),
    return: () => {
      left.abort();
      return changes.return(undefined);
    },
    throw: (error: unknown) => {
      left.abort();
      return changes.throw(error);
    },
  };
}

async function* changesUntil(
  left: AbortSignal,
  context: StoreContext,
  target: WatchTarget & ReadOptions,
): AsyncGenerator<Change, undefined> {
  const { lifecycle, backend, limits } = context;
  lifecycle.assertOpen();
  const { session, since, signal } = requireOptions(target, TARGET, "target");
  optional(session, "target.session", (id, path) => requireId(id, path, limits));
  checkSince({ session, since });
  if (signal?.aborted) return;
  const ended = linkAbort(lifecycle, signal);
  left.addEventListener("abort", () => ended.abort(), { once: true });
  try {
    const from = { ...field("session", session), ...field("since", since) };
    yield* untilAborted(backend.watch(from, ended.signal), ended.signal);
  } finally {
    ended.abort();
    ended.unlink();
  }
  if (!left.aborted && signal?.aborted !== true) lifecycle.assertOpen();
}

/** Does not wait for the backend after an abort: the backend ends by the same signal, once its pending call is answered. */
async function* untilAborted(
  changes: AsyncIterable<Change>,
  signal: AbortSignal,
): AsyncGenerator<Change, undefined> {
  const iterator = changes[Symbol.asyncIterator]();
  for (;;) {
    const next = await nextOrAborted(iterator, signal);
    if (next.done === true) return;
    let isLeft = true;
    try {
      yield next.value;
      isLeft = false;
    } finally {
      if (isLeft) await iterator.return?.();
    }
  }
}

async function nextOrAborted(
  changes: AsyncIterator<Change>,
  signal: AbortSignal,
): Promise<IteratorResult<Change, unknown>> {
  try {
    return await untilAbort(changes.next(), signal);
  } catch (error) {
    if (signal.aborted) return { done: true, value: undefined };
    throw error;
  }
}

function checkSince({ session, since }: WatchTarget): void {
  const kind = session === undefined ? "string" : "number";
  if (typeof since === "string" && kind === "string") refusePageCursor(since, "target.since");
  if (since === undefined || typeof since === kind) return;
  throw invalid(
    "target.since",
    session === undefined ? "must be the cursor of a change." : "must be a revision of the session.",
  );
}
