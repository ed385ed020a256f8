import type { Clock } from "@sessions/protocol";
import { loopShare } from "@sessions/protocol/backend";
import type { KeepAlive } from "./keep-alive.js";

/** A command that was sent shortly before its deadline, or after it, says nothing about the connection. */
const MIN_SILENCE_MS = 100;

interface PendingReply {
  /** On the monotonic clock, as `until`. */
  readonly askedAt: number;
  readonly until: number;
  /** How many replies had arrived when it was asked for. */
  readonly arrivedBefore: number;
  readonly giveUp: () => void;
}

/**
 * Replies that are waited for, each until its deadline. One timer for all of them: one for each would be set and cleared with
 * every command.
 */
export class PendingReplies {
  readonly #clock: Clock;
  readonly #keepAlive: KeepAlive;
  readonly #onSilence: () => void;
  readonly #pending = new Set<PendingReply>();
  #arrived = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;

  /** `onSilence` is called if a reply does not come in time, and for a while no other has come since it was asked for. */
  constructor(clock: Clock, keepAlive: KeepAlive, onSilence: () => void) {
    this.#clock = clock;
    this.#keepAlive = keepAlive;
    this.#onSilence = onSilence;
  }

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Calls one of `resolve` and `reject`, once: as the reply settles, or `reject` with what `overdue` makes when it is later than
   * `until`, on the monotonic clock.
   */
  wait<Reply>(
    reply: Promise<Reply>,
    until: number,
    overdue: () => Error,
    resolve: (reply: Reply) => void,
    reject: (error: unknown) => void,
  ): void {
    const askedAt = this.#clock.monotonic();
    const pending = { askedAt, until, arrivedBefore: this.#arrived, giveUp: () => reject(overdue()) };
    if (this.#pending.size === 0) this.#keepAlive.hold();
    this.#pending.add(pending);
    if (until < this.#wakeAt) this.#wake(until);
    reply.then(
      (value) => {
        if (this.#settle(pending)) handOut(() => resolve(value));
      },
      (error: unknown) => {
        if (this.#settle(pending)) reject(error);
      },
    );
  }

  close(): void {
    this.#cancel();
  }

  /** Whether it was still waited for. */
  #settle(pending: PendingReply): boolean {
    this.#arrived++;
    return this.#remove(pending);
  }

  #remove(pending: PendingReply): boolean {
    const wasPending = this.#pending.delete(pending);
    if (wasPending && this.#pending.size === 0) this.#keepAlive.release();
    return wasPending;
  }

  #wake(at: number): void {
    this.#cancel();
    this.#wakeAt = at;
    // Timers run before what the network has brought: a process that was stopped reads its replies first, and gives up then.
    const look = (): void => void setImmediate(() => this.#giveUpOverdue());
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), look, true);
  }

  #giveUpOverdue(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    let isSilent = false;
    for (const pending of this.#pending) {
      if (pending.until > now) {
        next = Math.min(next, pending.until);
        continue;
      }
      this.#remove(pending);
      isSilent ||= pending.arrivedBefore === this.#arrived && now - pending.askedAt >= MIN_SILENCE_MS;
      pending.giveUp();
    }
    if (next < Number.POSITIVE_INFINITY) this.#wake(next);
    if (isSilent) this.#onSilence();
  }
}

/** Hundreds of replies may arrive at once, and each is followed by work of its caller: they wait for their share of the event loop. */
function handOut(deliver: () => void): void {
  const turn = loopShare.begin();
  if (turn === undefined) deliver();
  else void turn.then(deliver);
}
