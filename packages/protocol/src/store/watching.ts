import type { Change, WatchTarget } from "../backend/change.js";
import { field, invalid, optional } from "../validate/argument.js";
import { requireId } from "../validate/identifier.js";
import { checkSignal } from "../validate/mutation-options.js";
import { linkAbort } from "./linked-abort.js";
import type { ReadOptions } from "./mutation.js";
import type { StoreContext } from "./store-context.js";

/** The feed, until the caller's signal ends it or the store closes (STORE_CLOSED). */
export async function* watching(
  context: StoreContext,
  target: WatchTarget & ReadOptions = {},
): AsyncGenerator<Change> {
  const { lifecycle, backend, limits } = context;
  lifecycle.assertOpen();
  checkSignal(target.signal);
  const session = optional(target.session, "target.session", (id, path) => requireId(id, path, limits));
  checkSince(target);
  if (target.signal?.aborted) return;
  const ended = linkAbort(lifecycle, target.signal);
  try {
    yield* backend.watch({ ...field("session", session), ...field("since", target.since) }, ended.signal);
  } finally {
    ended.unlink();
  }
  if (target.signal?.aborted !== true) lifecycle.assertOpen();
}

function checkSince({ session, since }: WatchTarget): void {
  const kind = session === undefined ? "string" : "number";
  if (since === undefined || typeof since === kind) return;
  throw invalid(
    "target.since",
    session === undefined ? "must be the cursor of a change." : "must be a revision of the session.",
  );
}
