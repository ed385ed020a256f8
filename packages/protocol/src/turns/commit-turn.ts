import type { CommitRequest } from "../backend/commit-request.js";
import type { Operation } from "../operations/operation.js";
import { accepted, type Settled } from "../store/call.js";
import type { StoreContext } from "../store/store-context.js";
import { field } from "../validate/argument.js";

/** A commit of the turn machinery, with a generated id. */
export async function commitTurn(
  context: StoreContext,
  sessionId: string,
  ops: readonly Operation[],
  options: { readonly fence?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<Settled> {
  const request: CommitRequest = {
    sessionId,
    id: context.ids.next(),
    at: context.clock.now(),
    ops,
    ...field("fence", options.fence),
  };
  return accepted(
    await context.lifecycle.track(() => context.queue.enqueue(sessionId, request, options.signal)),
  );
}
