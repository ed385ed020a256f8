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
import type { WorkContext } from "./work-context.js";

const WAIT_MS = 400;

/**
 * A `runTurn` whose work is done from outside. To its user it is one call; to the log it is a begin, what is written
 * meanwhile, and an end, so that each can be judged.
 */
export class RunningTurn {
  readonly session: string;
  readonly #place: WorkContext;
  readonly #turnId: string;
  readonly #begun = new Deferred<Turn | undefined>();
  readonly #work = new Deferred<OperationInput>();
  #running: Promise<RunTurnResult> | undefined;
  #held: Turn | undefined;

  constructor(place: WorkContext, session: string, turnId: string) {
    this.#place = place;
    this.session = session;
    this.#turnId = turnId;
  }

  /** The turn, between its begin and its end. */
  get held(): Turn {
    if (this.#held === undefined) throw new Error("the turn has not begun");
    return this.#held;
  }

  /** `false` if it has been run before. */
  async begin({ renew }: { readonly renew: boolean }): Promise<boolean> {
    const { task, recorder } = this.#place;
    const lease = { turnId: this.#turnId, ttlMs: task.turnTtlMs };
    const action = { kind: "begin-turn", ...lease } as const;
    this.#held = await recorder.call(
      this.session,
      action,
      () => this.#run({ ...lease, renew }),
      (turn) => (turn === undefined ? { duplicate: true } : { token: turn.token }),
    );
    return this.#held !== undefined;
  }

  /** Ends the turn together with a last message. */
  async complete(id: string): Promise<void> {
    const action = { kind: "end-turn", fence: this.held.token, completes: true, ids: [id] } as const;
    await this.#end(action, () => this.#work.resolve(append(messageOf(id))));
  }

  /** Lets the work fail, which ends the turn. */
  async fail(reason: unknown): Promise<void> {
    const action = { kind: "end-turn", fence: this.held.token, completes: false } as const;
    await this.#end(action, () => this.#work.reject(reason)).catch((error: unknown) => {
      if (error !== reason) throw error;
    });
  }

  #run(lease: BeginTurnOptions): Promise<Turn | undefined> {
    const options = { ...lease, waitMs: WAIT_MS, select: { last: 1 } } as const;
    this.#running = this.#place.store.runTurn(this.session, options, (turn) => {
      this.#begun.resolve(turn);
      return this.#work.promise;
    });
    this.#running.then(() => this.#begun.resolve(undefined), this.#begun.reject);
    return this.#begun.promise;
  }

  async #end(action: Parameters<WorkContext["recorder"]["call"]>[1], letGo: () => void): Promise<void> {
    const perform = async (): Promise<RunTurnResult | undefined> => {
      letGo();
      try {
        return await this.#running;
      } catch (error) {
        throw SessionError.is(error, "TURN_LOST") ? error : new Untold(error);
      }
    };
    const call = this.#place.recorder.call(this.session, action, perform, revisionOf);
    await call.catch((error: unknown) => {
      throw error instanceof Untold ? error.cause : error;
    });
  }
}

/** `runTurn` gives the error of the work, and not how the end of the turn went: to the log that is "unknown". */
class Untold extends Error {
  constructor(cause: unknown) {
    super("how the turn ended is not told", { cause });
  }
}

function revisionOf(result: RunTurnResult | undefined): { readonly revision?: number } {
  return result?.status === "completed" ? { revision: result.revision } : {};
}
