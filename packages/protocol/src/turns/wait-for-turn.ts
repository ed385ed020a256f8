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

/** The maximum lease of a ticket: a dead waiter blocks the queue for no longer. */
const MAX_TICKET_MS = 10_000;

/** How often a waiter reads the session if the feed delivers nothing. A feed may miss a change. */
const POLL_MS = 500;

/** Waits for a turn in order of arrival across processes, with a ticket in the session's state. */
export async function waitForTurn(
  context: StoreContext,
  candidate: Candidate,
  busy: SessionError,
): Promise<BeginTurnResult> {
  const { sessionId, plan } = candidate;
  const ticket = context.ids.next();
  const stop = linkAbort(context.lifecycle, plan.signal);
  const cancel = context.clock.after(plan.waitMs, () => stop.abort(busy));
  const localWaiter = context.waitQueues.join(sessionId);
  try {
    return await new Waiter(context, candidate, ticket, localWaiter, stop.signal).wait();
  } catch (error) {
    localWaiter.leave(); // the next waiter of this store need not wait until the ticket is returned
    // The caller needs the reason for the end of the wait. A ticket that could not be returned expires.
    await Promise.allSettled([leave(context, sessionId, ticket)]);
    throw error;
  } finally {
    localWaiter.leave();
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
 * Renews its ticket, and tries to begin when nothing is ahead of it. While an earlier call of this store waits, it
 * reads the session only when it renews its ticket, in case the order of the tickets differs.
 */
class Waiter {
  readonly #context: StoreContext;
  readonly #candidate: Candidate;
  readonly #ticket: string;
  readonly #localWaiter: LocalWaiter;
  readonly #stop: AbortSignal;
  #blockedMs = 0;
  #changes: SessionChanges | undefined;

  constructor(
    context: StoreContext,
    candidate: Candidate,
    ticket: string,
    localWaiter: LocalWaiter,
    stop: AbortSignal,
  ) {
    this.#context = context;
    this.#candidate = candidate;
    this.#ticket = ticket;
    this.#localWaiter = localWaiter;
    this.#stop = stop;
  }

  async wait(): Promise<BeginTurnResult> {
    const ticketMs = Math.min(this.#candidate.plan.ttlMs, MAX_TICKET_MS);
    await this.#takeTicket(ticketMs);
    let renewAt = this.#context.clock.monotonic() + ticketMs / 3;
    for (;;) {
      this.#watchIfFirst();
      const result = await this.#tryToBegin();
      if (result !== undefined) return result;
      await this.#untilNextRead(renewAt - this.#context.clock.monotonic());
      if (this.#context.clock.monotonic() < renewAt) continue;
      await this.#takeTicket(ticketMs);
      renewAt = this.#context.clock.monotonic() + ticketMs / 3;
    }
  }

  /** Call this before a read, so that no change is missed in between. */
  #watchIfFirst(): void {
    if (this.#localWaiter.isFirst)
      this.#changes ??= new SessionChanges(this.#context, this.#candidate.sessionId, this.#stop);
  }

  /** Waits until the session should be read again. */
  #untilNextRead(renewMs: number): Promise<void> {
    const { clock } = this.#context;
    if (this.#changes === undefined)
      return pause(clock, Math.max(1, renewMs), this.#stop, this.#localWaiter.first);
    const waitMs = Math.max(1, Math.min(renewMs, this.#blockedMs, POLL_MS));
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
      const options = { ticket: this.#ticket, background: true };
      const result = await attemptTurn(this.#context, this.#candidate, options);
      if (result.status === "duplicate") await leave(this.#context, sessionId, this.#ticket);
      return result;
    } catch (error) {
      if (!SessionError.is(error, "TURN_BUSY")) throw error;
      this.#blockedMs = longest(ahead, (lease) => leases.untilOverMs(sessionId, lease));
      return undefined;
    }
  }

  /** The leases ahead of this waiter. */
  #ahead({ turn, queue }: SessionRecord): readonly Lease[] {
    const mine = queue.findIndex((ticket) => ticket.ticket === this.#ticket);
    return leasesOf({ ...field("turn", turn), queue: queue.slice(0, Math.max(0, mine)) });
  }
}

function longest(leases: readonly Lease[], untilMs: (lease: Lease) => number): number {
  return Math.max(0, ...leases.map(untilMs));
}
