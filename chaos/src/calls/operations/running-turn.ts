import {
  append,
  type BeginTurnOptions,
  type OperationInput,
  type RunTurnResult,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import { Deferred } from "./deferred.js";
import { messageOf } from "./message.js";
import type { OperationContext } from "./operation-context.js";

const WAIT_MS = 400;

/**
 * A `runTurn` whose callback is settled by `complete` and `fail`. The store gets one call; the log gets a begin, the
 * writes and an end, so that each of them can be judged.
 */
export class RunningTurn {
  readonly session: string;
  readonly #context: OperationContext;
  readonly #turnId: string;
  readonly #begun = new Deferred<Turn | undefined>();
  readonly #work = new Deferred<OperationInput>();
  #running: Promise<RunTurnResult> | undefined;
  #turn: Turn | undefined;

  constructor(context: OperationContext, session: string, turnId: string) {
    this.#context = context;
    this.session = session;
    this.#turnId = turnId;
  }

  /** The turn, between its begin and its end. */
  get turn(): Turn {
    if (this.#turn === undefined) throw new Error("the turn has not begun");
    return this.#turn;
  }

  /** Returns `false` if the turn was completed before. */
  async begin({ renew }: { readonly renew: boolean }): Promise<boolean> {
    const { task, recorder } = this.#context;
    const lease = { turnId: this.#turnId, ttlMs: task.turnTtlMs };
    const action = { kind: "begin-turn", ...lease } as const;
    this.#turn = await recorder.call(
      this.session,
      action,
      () => this.#run({ ...lease, renew }),
      (turn) => (turn === undefined ? { duplicate: true } : { token: turn.token }),
    );
    return this.#turn !== undefined;
  }

  /** Completes the turn together with a last message. */
  async complete(id: string): Promise<void> {
    const action = { kind: "end-turn", fence: this.turn.token, completes: true, ids: [id] } as const;
    await this.#end(action, () => this.#work.resolve(append(messageOf(id))));
  }

  /** Rejects the callback, which fails the turn. */
  async fail(reason: unknown): Promise<void> {
    const action = { kind: "end-turn", fence: this.turn.token, completes: false } as const;
    await this.#end(action, () => this.#work.reject(reason)).catch((error: unknown) => {
      if (error !== reason) throw error;
    });
  }

  #run(lease: BeginTurnOptions): Promise<Turn | undefined> {
    const options = { ...lease, waitMs: WAIT_MS, select: { last: 1 } } as const;
    this.#running = this.#context.store.runTurn(this.session, options, (turn) => {
      this.#begun.resolve(turn);
      return this.#work.promise;
    });
    this.#running.then(() => this.#begun.resolve(undefined), this.#begun.reject);
    return this.#begun.promise;
  }

  async #end(
    action: Parameters<OperationContext["recorder"]["call"]>[1],
    settleWork: () => void,
  ): Promise<void> {
    const perform = async (): Promise<RunTurnResult | undefined> => {
      settleWork();
      try {
        return await this.#running;
      } catch (error) {
        throw SessionError.is(error, "TURN_LOST") ? error : new UnknownOutcome(error);
      }
    };
    const call = this.#context.recorder.call(this.session, action, perform, revisionOf);
    await call.catch((error: unknown) => {
      throw error instanceof UnknownOutcome ? error.cause : error;
    });
  }
}

/** `runTurn` throws the error of its callback and not how the turn ended. The log has that as "unknown". */
class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super("the outcome of the turn is unknown", { cause });
  }
}

function revisionOf(result: RunTurnResult | undefined): { readonly revision?: number } {
  return result?.status === "completed" ? { revision: result.revision } : {};
}
