import {
  type Clock,
  type ReadOptions,
  requireOptions,
  requireStore,
  type SessionStore,
  systemClock,
} from "@sessions/protocol/integration";
import { createIds, retry, SessionChanges, sessionNotFound } from "@sessions/turn-runner";
import type { FollowEvent } from "./follow-event.js";
import { FollowedTurn } from "./followed-turn.js";

/** How long reads are retried while the store is unavailable. */
const RETRY_MS = 15_000;

/**
 * The events of the turn that holds a session, from its beginning, then live, and how it ended. It only reads the store, so it
 * works in any process, needs no runner, and notices when the process of the turn dies. Ends at once if no turn runs, and without an
 * error when `signal` aborts.
 *
 * @example
 * ```ts
 * for await (const event of followTurn(store, "user-42")) {
 *   if (event.type === "text-delta") process.stdout.write(event.text);
 *   if (event.type === "turn-ended") console.log(event.outcome);
 * }
 * ```
 */
export async function* followTurn(
  store: SessionStore,
  sessionId: string,
  options: ReadOptions & { readonly clock?: Clock } = {},
): AsyncGenerator<FollowEvent, void, undefined> {
  requireStore(store);
  const { signal, clock = systemClock } = requireOptions(options, { signal: "signal", clock: "object" });
  if (signal?.aborted) return;
  try {
    yield* eventsOf(store, sessionId, { signal, clock });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

async function* eventsOf(
  store: SessionStore,
  sessionId: string,
  { signal, clock }: { readonly signal?: AbortSignal | undefined; readonly clock: Clock },
): AsyncGenerator<FollowEvent, void, undefined> {
  const policy = { clock, newId: createIds(clock), deadlineMs: RETRY_MS, signal };
  const session = await retry(policy, () => store.getSession(sessionId, { messages: "none" }));
  if (session === undefined) throw sessionNotFound(sessionId);
  if (session.turn === undefined) return;
  const turn = new FollowedTurn(store, sessionId, session.turn, policy);
  const changes = new SessionChanges({ store, sessionId, since: session.revision, clock, signal });
  try {
    while (signal?.aborted !== true) {
      yield* await turn.newEvents();
      if (turn.hasEnded) return;
      await changes.wait(turn.expiresAt);
    }
  } finally {
    changes.close();
  }
}
