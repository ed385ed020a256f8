import {
  type Clock,
  type ReadOptions,
  requireOptions,
  requireStore,
  type SessionStore,
  systemClock,
} from "@sessions/protocol/integration";
import type { FollowEvent } from "./follow-event.js";
import { FollowedTurn } from "./followed-turn.js";
import { sessionNotFound } from "./session/session-not-found.js";
import { SessionFeed } from "./session-feed.js";
import { retried } from "./turn/retried.js";

/** The wall clock may say that a lease is over which is not: then the session is read no more often than this. */
const LEAST_WAIT_MS = 100;

/** How long a follower waits for a store that cannot be read. */
const OUTAGE_MS = 15_000;

/**
 * The events of the turn that holds a session now, from its beginning, then live, and how it ended. Reads the store and
 * nothing else, so that it works in any process, needs no runner, and does not depend on the producer's life. Ends at
 * once where no turn runs, and quietly when `signal` aborts.
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
  const retrying = { clock, deadlineMs: OUTAGE_MS, signal };
  const session = await retried(retrying, () => store.getSession(sessionId, { messages: "none" }));
  if (session === undefined) throw sessionNotFound(sessionId);
  if (session.turn === undefined) return;
  const turn = new FollowedTurn(store, sessionId, session.turn, retrying);
  const feed = new SessionFeed(store, sessionId, session.revision, clock);
  const close = (): void => feed.close();
  signal?.addEventListener("abort", close, { once: true });
  try {
    while (signal?.aborted !== true) {
      yield* await turn.look();
      if (turn.hasEnded) return;
      // Renewals are no changes: whether the producer still lives is seen by looking when its lease is over.
      await feed.wait(Math.max(LEAST_WAIT_MS, turn.expiresAt - clock.now() + 1));
    }
  } finally {
    signal?.removeEventListener("abort", close);
    feed.close();
  }
}
