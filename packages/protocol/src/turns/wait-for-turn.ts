import type { BeginTurnResult } from "../api/turn.js";
import { field } from "../arguments/optional-field.js";
import type { SessionRecord } from "../backend/session-record.js";
import { linkAbort } from "../context/linked-abort.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { LocalWaiter } from "../leases/local-wait-queue.js";
import { type Lease, leasesOf } from "../leases/observed-leases.js";
import { pause } from "../platform/pause.js";
import { attemptTurn, type Candidate } from "./attempt-turn.js";
import { commitTurn } from "./commit-turn.js";
import { SessionChanges } from "./session-changes.js";

/** How long a ticket lives without its waiter, at most: a dead waiter holds up the line for no longer. */
const MAX_TICKET_MS = 10_000;

/** How long a waiter relies on the feed alone: what a feed misses is found by looking. */
const LOOK_AGAIN_MS = 500;

/** Waits for a turn in order of arrival across processes: with a ticket in the session's own state. */
export async function waitForTurn(
  context: StoreContext,
  candidate: Candidate,
  busy: SessionError,
): Promise<BeginTurnResult> {
  const { sessionId, plan } = candidate;
  const ticket = context.ids.next();
  const stop = linkAbort(context.lifecycle, plan.signal);
  const cancel = context.clock.after(plan.waitMs, () => stop.abort(busy));
  const place = context.waitQueues.join(sessionId);
  try {
    return await new Waiter(context, candidate, ticket, place, stop.signal).wait();
  } catch (error) {
    place.leave(); // the next one here need not wait until the ticket is given back
    // Why it stopped waiting is what the caller must know; a ticket that could not be given back expires by itself.
    await Promise.allSettled([leave(context, sessionId, ticket)]);
    throw error;
  } finally {
    place.leave();
    cancel();
    stop.abort(); // ends the feed
    stop.unlink();
  }
}

async function leave(context: StoreContext, sessionId: string, ticket: string): Promise<void> {
  const exists = await context.backend.read(sessionId, { messages: "none", background: true });
  if (exists?.queue.some((waiting) => waiting.ticket === ticket) !== true) return;
  await commitTurn(context, sessionId, [{ op: "turn", action: "leave", ticket }], { background: true });
}

/**
 * One who waits: keeps its ticket alive, and tries when nobody is in the way any more. While others of this store wait
 * before it, it looks only when it renews its ticket, in case their order in the store is another one.
 */
class Waiter {
  readonly #context: StoreContext;
  readonly #candidate: Candidate;
  readonly #ticket: string;
  readonly #place: LocalWaiter;
  readonly #stop: AbortSignal;
  #blockedMs = 0;
  #changes: SessionChanges | undefined;

  constructor(
    context: StoreContext,
    candidate: Candidate,
    ticket: string,
    place: LocalWaiter,
    stop: AbortSignal,
  ) {
    this.#context = context;
    this.#candidate = candidate;
    this.#ticket = ticket;
    this.#place = place;
    this.#stop = stop;
  }

  async wait(): Promise<BeginTurnResult> {
    const ticketMs = Math.min(this.#candidate.plan.ttlMs, MAX_TICKET_MS);
    await this.#takeTicket(ticketMs);
    let renewAt = this.#context.clock.monotonic() + ticketMs / 3;
    for (;;) {
      this.#listen();
      const result = await this.#tryToBegin();
      if (result !== undefined) return result;
      await this.#news(renewAt - this.#context.clock.monotonic());
      if (this.#context.clock.monotonic() < renewAt) continue;
      await this.#takeTicket(ticketMs);
      renewAt = this.#context.clock.monotonic() + ticketMs / 3;
    }
  }

  /** Before it looks, so that no change is missed in between. */
  #listen(): void {
    if (this.#place.isFirst)
      this.#changes ??= new SessionChanges(this.#context, this.#candidate.sessionId, this.#stop);
  }

  /** Waits until it is time to look again. */
  #news(renewMs: number): Promise<void> {
    const { clock } = this.#context;
    if (this.#changes === undefined) return pause(clock, Math.max(1, renewMs), this.#stop, this.#place.first);
    const waitMs = Math.max(1, Math.min(renewMs, this.#blockedMs, LOOK_AGAIN_MS));
    return pause(clock, waitMs, this.#stop, this.#changes.next());
  }

  async #takeTicket(ttlMs: number): Promise<void> {
    const { sessionId, turnId, plan } = this.#candidate;
    const operation = {
      op: "turn",
      action: "queue",
      ticket: this.#ticket,
      turnId,
      ttlMs,
      ...field("owner", plan.owner),
    } as const;
    await commitTurn(this.#context, sessionId, [operation], { signal: this.#stop, background: true });
  }

  async #tryToBegin(): Promise<BeginTurnResult | undefined> {
    this.#stop.throwIfAborted();
    const { sessionId } = this.#candidate;
    const { backend, leases } = this.#context;
    const record = await backend.read(sessionId, { messages: "none", background: true });
    const ahead = record === undefined ? [] : this.#ahead(record);
    this.#blockedMs = longest(ahead, (lease) => leases.untilWorthTryingMs(sessionId, lease));
    if (this.#blockedMs > 0) return undefined;
    try {
      const place = { ticket: this.#ticket, background: true };
      const result = await attemptTurn(this.#context, this.#candidate, place);
      if (result.status === "duplicate") await leave(this.#context, sessionId, this.#ticket);
      return result;
    } catch (error) {
      if (!SessionError.is(error, "TURN_BUSY")) throw error;
      this.#blockedMs = longest(ahead, (lease) => leases.untilOverMs(sessionId, lease));
      return undefined;
    }
  }

  /** The leases that are in the way. */
  #ahead({ turn, queue }: SessionRecord): readonly Lease[] {
    const mine = queue.findIndex((ticket) => ticket.ticket === this.#ticket);
    return leasesOf({ ...field("turn", turn), queue: queue.slice(0, Math.max(0, mine)) });
  }
}

function longest(leases: readonly Lease[], untilMs: (lease: Lease) => number): number {
  return Math.max(0, ...leases.map(untilMs));
}
