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

/** What a turn is made of. */
export interface HeldLease {
  readonly sessionId: string;
  readonly turnId: string;
  readonly token: string;
  readonly ttlMs: number;
  readonly renew: boolean;
  /** When the commit that began it was sent, by the monotonic clock. */
  readonly sentAt: number;
  readonly expiresAt: number;
  /** Of the commit that began it. */
  readonly revision: number;
}

/** A turn in the hands of its holder: renews itself, notices when it is lost or interrupted, fences what it writes. */
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
    // From when it was sent, not from when the answer came: the store may have counted from then.
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
      // An operation on the turn may end or interrupt it: that is read, like a change of somebody else's.
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

  renew(): Promise<void> {
    return this.#renew(false);
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
      if (!SessionError.is(error, "TURN_LOST")) throw error; // lost in this moment: there is nothing to give back
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

  /** A holder that could not end its turn may never come back: the turn expires by itself, so that others are not blocked. */
  #stopRenewing(): void {
    this.#renews = false;
    this.#scheduleEnd();
  }

  #stop(): void {
    this.#done.abort();
    this.#cancelTimer();
    this.#stopListening();
  }

  #lose(reason: TurnLossReason): void {
    if (this.#done.signal.aborted || this.#lost.signal.aborted) return;
    // An interrupted holder still holds the turn and may write its last words; any other loss ends it here.
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

  /** The holder stops by itself when its lease is over, whether or not anybody took it. */
  #scheduleEnd(): void {
    this.#schedule(this.#heldUntil - this.#context.clock.monotonic(), () => this.#lose("expired"));
  }

  #renewInBackground(): void {
    this.#scheduleEnd(); // a renewal that hangs must not keep the holder going
    const renewed = async (): Promise<void> => {
      await this.#renew(true);
      await this.#look(); // what the feed did not tell
    };
    renewed().catch((error: unknown) => this.#renewalFailed(error));
  }

  // A busy store may answer the next time; the lease lasts until its own end, counted here.
  #renewalFailed(error: unknown): void {
    const leftMs = this.#heldUntil - this.#context.clock.monotonic();
    if (SessionError.is(error, "DATA_LOST")) this.#lose("session-gone");
    else if (SessionError.is(error, "TURN_LOST") || leftMs <= 0) this.#lose("expired");
    else if (this.#renews)
      this.#schedule(Math.min(leftMs, this.#ttlMs / 10), () => this.#renewInBackground());
  }

  /** Reads the session after every change that is not the turn's own: an interruption or a takeover comes from elsewhere. */
  async #watchSession(): Promise<void> {
    const { backend, clock } = this.#context;
    const ended = this.#done.signal;
    for (let isRetry = false; !ended.aborted; isRetry = true) {
      try {
        if (isRetry) await this.#look();
        const target = { session: this.sessionId, since: this.#ownChanges.revision };
        for await (const change of backend.watch(target, ended))
          if (!(await this.#ownChanges.include(change))) await this.#look();
      } catch (error) {
        // A store that is unreachable for a moment: the lease runs on, and its end is counted by the clock.
        if (!SessionError.is(error)) throw error;
      }
      // The feed failed or ended by itself: another try, but not at once.
      if (!ended.aborted) await new Promise<void>((resolve) => clock.after(this.#ttlMs / 10, resolve, true));
    }
  }

  async #look(): Promise<void> {
    if (this.#isEnding()) return;
    const record = await this.#context.backend.read(this.sessionId, { messages: "none", background: true });
    if (this.#isEnding()) return;
    if (record === undefined) return this.#lose("session-gone");
    this.#ownChanges.read(record.revision);
    if (record.turn?.token !== this.token) this.#lose(record.turn === undefined ? "ended" : "taken-over");
    else if (record.turn.interrupted === true) this.#lose("interrupted");
  }

  /** The feed may deliver the end before the commit of the end is answered: that is no loss. */
  #isEnding(): boolean {
    return this.#done.signal.aborted || this.#ending > 0;
  }
}
