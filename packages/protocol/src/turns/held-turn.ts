import { MUTATION_OPTIONS, type MutationOptions, type MutationResult } from "../api/mutation.js";
import type { CompleteOptions, FailOptions, Turn } from "../api/turn.js";
import { copyItems } from "../arguments/lists.js";
import { field } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import type { StoreContext } from "../context/store-context.js";
import type { TurnLossReason } from "../errors/error-details.js";
import { SessionError } from "../errors/session-error.js";
import type { MessageInput } from "../message/message-input.js";
import { commitCheckedOperations } from "../methods/commit.js";
import type { OneOrMany } from "../operations/builders.js";
import { append, endTurn, extend } from "../operations/builders.js";
import type { ExtendInput, OperationInput } from "../operations/operation-input.js";
import { checkOperations } from "../validate/check-operation.js";
import { commitTurn } from "./commit-turn.js";
import { errorText } from "./error-text.js";
import { OwnChanges } from "./own-changes.js";
import { COMPLETE_OPTIONS, FAIL_OPTIONS } from "./turn-options.js";

/** The lease of a turn that has begun. */
export interface HeldLease {
  readonly sessionId: string;
  readonly turnId: string;
  readonly token: string;
  readonly ttlMs: number;
  readonly renew: boolean;
  /** When the commit that began it was sent, by the monotonic clock. */
  readonly sentAt: number;
  readonly expiresAt: number;
  /** The revision of the commit that began it. */
  readonly revision: number;
}

/** Without a reason of ours, every end of a turn would capture a stack for an AbortError that nobody reads. */
const ENDED = "the turn has ended";

/** A turn that its holder uses: it renews itself, notices when it is lost or interrupted, and fences its writes. */
export class HeldTurn implements Turn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly token: string;
  readonly #context: StoreContext;
  readonly #ttlMs: number;
  #renews: boolean;
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  readonly #ownChanges: OwnChanges;
  #ending = 0;
  #expiresAt: number;
  #heldUntil: number;
  #cancelTimer: () => void = () => undefined;
  readonly #stopListening: () => void = () => undefined;

  constructor(context: StoreContext, lease: HeldLease) {
    this.#context = context;
    this.sessionId = lease.sessionId;
    this.turnId = lease.turnId;
    this.token = lease.token;
    this.#ttlMs = lease.ttlMs;
    this.#expiresAt = lease.expiresAt;
    this.#ownChanges = new OwnChanges(context.clock, lease.revision);
    // Counted from the time of sending, not of the reply: the lease may have started at any time in between.
    this.#heldUntil = lease.sentAt + lease.ttlMs;
    this.#stopListening = context.lifecycle.onClosing(() => this.#lose("closed"));
    this.#renews = lease.renew;
    this.#scheduleNext();
    this.#watchSession().catch((error: unknown) => this.#lost.abort(error));
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  get expiresAt(): number {
    return this.#expiresAt;
  }

  async append(messages: OneOrMany<MessageInput>, options?: MutationOptions): Promise<MutationResult> {
    return this.commit([append(messages)], options);
  }

  async extend(
    messageId: string,
    addition: Omit<ExtendInput, "op" | "messageId">,
    options?: MutationOptions,
  ): Promise<MutationResult> {
    return this.commit([extend(messageId, addition)], options);
  }

  async commit(ops: readonly OperationInput[], given: MutationOptions = {}): Promise<MutationResult> {
    try {
      const options = { ...requireOptions(given, MUTATION_OPTIONS), fence: this.token };
      const checked = checkOperations(ops, "ops", this.#context.limits);
      const sent = commitCheckedOperations(this.#context, this.sessionId, checked, options);
      // An operation on the turn may end or interrupt it. So such a commit is read like a foreign change.
      return await (checked.some(({ op }) => op === "turn") ? sent : this.#ownChanges.track(sent));
    } catch (error) {
      if (SessionError.is(error, "TURN_LOST")) this.#lose(error.reason ?? "taken-over");
      throw error;
    }
  }

  async complete(ops: readonly OperationInput[] = [], given: CompleteOptions = {}): Promise<MutationResult> {
    const { drafts, ...options } = requireOptions(given, COMPLETE_OPTIONS);
    const end = endTurn("completed", undefined, field("drafts", drafts));
    return this.#end([...this.#copied(ops), end], options);
  }

  async fail(
    error: unknown,
    ops: readonly OperationInput[] = [],
    given: FailOptions = {},
  ): Promise<MutationResult> {
    const { outcome = "failed", ...options } = requireOptions(given, FAIL_OPTIONS);
    return this.#end([...this.#copied(ops), endTurn(outcome, errorText(error))], options);
  }

  #copied(ops: readonly OperationInput[]): readonly OperationInput[] {
    return copyItems(ops, "ops", this.#context.limits);
  }

  async release(): Promise<void> {
    await this.#end([endTurn("released")]);
  }

  async renew(): Promise<void> {
    this.#context.lifecycle.assertOpen();
    await this.#renew(false);
  }

  async #renew(background: boolean): Promise<void> {
    const sentAt = this.#context.clock.monotonic();
    try {
      const renewal = [{ op: "turn", action: "renew" }] as const;
      const { at } = await commitTurn(this.#context, this.sessionId, renewal, {
        fence: this.token,
        ...(background ? { background } : {}),
      });
      this.#expiresAt = at + this.#ttlMs;
      this.#heldUntil = sentAt + this.#ttlMs;
    } catch (error) {
      if (SessionError.is(error, "TURN_LOST")) this.#lose(error.reason ?? "taken-over");
      throw error;
    }
    this.#scheduleNext();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#done.signal.aborted) return; // ended or lost; an interrupted turn is still held
    await this.release().catch((error: unknown) => {
      if (!SessionError.is(error, "TURN_LOST")) throw error; // lost in the meantime: there is nothing to release
    });
  }

  async #end(ops: readonly OperationInput[], options?: MutationOptions): Promise<MutationResult> {
    this.#ending++;
    try {
      const result = await this.commit(ops, options);
      this.#stop();
      return result;
    } catch (error) {
      this.#stopRenewing();
      throw error;
    } finally {
      this.#ending--;
    }
  }

  /** A holder whose end failed may never try again. Without renewals the turn expires, so that others are not blocked. */
  #stopRenewing(): void {
    this.#renews = false;
    this.#scheduleEnd();
  }

  #stop(): void {
    this.#done.abort(ENDED);
    this.#cancelTimer();
    this.#stopListening();
  }

  #lose(reason: TurnLossReason): void {
    if (this.#done.signal.aborted || this.#lost.signal.aborted) return;
    // An interrupted holder still holds the turn and may write its last messages. Any other loss ends the turn here.
    if (reason !== "interrupted") this.#stop();
    const message = `Turn "${this.turnId}" must stop: ${reason}.`;
    this.#lost.abort(
      SessionError.of("TURN_LOST", message, { sessionId: this.sessionId, turnId: this.turnId, reason }),
    );
  }

  #schedule(ms: number, action: () => void): void {
    this.#cancelTimer();
    if (!this.#done.signal.aborted) this.#cancelTimer = this.#context.clock.after(ms, action, true);
  }

  #scheduleNext(): void {
    if (this.#renews) this.#schedule(this.#ttlMs / 3, () => this.#renewInBackground());
    else this.#scheduleEnd();
  }

  /** The holder stops when its lease is over, even if the turn was not taken over. */
  #scheduleEnd(): void {
    this.#schedule(this.#heldUntil - this.#context.clock.monotonic(), () => this.#lose("expired"));
  }

  #renewInBackground(): void {
    this.#scheduleEnd(); // so that the turn also ends if the renewal hangs
    const renewed = async (): Promise<void> => {
      await this.#renew(true);
      await this.#checkSession(); // in case the feed missed a change
    };
    renewed().catch((error: unknown) => this.#renewalFailed(error));
  }

  // The store may be available again for the next attempt. Until then the lease is timed here.
  #renewalFailed(error: unknown): void {
    const leftMs = this.#heldUntil - this.#context.clock.monotonic();
    if (SessionError.is(error, "DATA_LOST")) this.#lose("session-gone");
    else if (SessionError.is(error, "TURN_LOST") || leftMs <= 0) this.#lose("expired");
    else if (this.#renews)
      this.#schedule(Math.min(leftMs, this.#ttlMs / 10), () => this.#renewInBackground());
  }

  /** Reads the session after every foreign change: it may be an interruption or a takeover. */
  async #watchSession(): Promise<void> {
    const { backend, clock } = this.#context;
    const ended = this.#done.signal;
    for (let isRetry = false; !ended.aborted; isRetry = true) {
      try {
        if (isRetry) await this.#checkSession();
        const target = { session: this.sessionId, since: this.#ownChanges.revision };
        for await (const change of backend.watch(target, ended))
          if (!(await this.#ownChanges.include(change))) await this.#checkSession();
      } catch (error) {
        // The store may be unreachable for a while. The lease continues, and the clock ends it.
        if (!SessionError.is(error)) throw error;
      }
      // The feed failed or ended. Retry after a pause.
      if (!ended.aborted) await new Promise<void>((resolve) => clock.after(this.#ttlMs / 10, resolve, true));
    }
  }

  async #checkSession(): Promise<void> {
    if (this.#isEnding()) return;
    const record = await this.#context.backend.read(this.sessionId, { messages: "none", background: true });
    if (this.#isEnding()) return;
    if (record === undefined) return this.#lose("session-gone");
    this.#ownChanges.read(record.revision);
    if (record.turn?.token !== this.token) this.#lose(record.turn === undefined ? "ended" : "taken-over");
    else if (record.turn.interrupted === true) this.#lose("interrupted");
  }

  /** The feed may deliver the end before its commit is answered. That is not a loss. */
  #isEnding(): boolean {
    return this.#done.signal.aborted || this.#ending > 0;
  }
}
