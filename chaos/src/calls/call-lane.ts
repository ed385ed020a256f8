import { sharedClock } from "@sessions/conformance/multi-process";
import type { ErrorCode } from "@sessions/protocol";
import { describeError, isExpectedError } from "../worker/expected-errors.js";
import { pauseRandomly } from "../worker/random-pause.js";
import { appendTo, appendWithIdTo } from "./operations/append.js";
import { archive, changeSettings } from "./operations/archive.js";
import { importOld } from "./operations/import.js";
import type { Operation, OperationContext } from "./operations/operation-context.js";
import { PrivateSession } from "./operations/private-session.js";
import { listAndRead, readAllOf, readTailOf } from "./operations/read-session.js";
import { edit, replace } from "./operations/replace.js";
import { resend } from "./operations/resend.js";
import { takeTurn } from "./operations/take-turn.js";
import { useSnapshot } from "./operations/use-snapshot.js";

const PAUSE_MS = 4;
const PAUSE_AFTER_REFUSAL_MS = 60;

type Mix = readonly (readonly [weight: number, operation: Operation])[];

const SHARED: Mix = [
  [20, appendTo("chat")],
  [12, appendTo("branch")],
  [8, appendTo("edits")],
  [4, appendTo("turns")],
  [8, appendWithIdTo("chat")],
  [4, appendWithIdTo("branch")],
  [2, appendWithIdTo("turns")],
  [7, replace],
  [5, edit],
  [3, archive],
  [3, changeSettings],
  [1.5, useSnapshot],
  [0.7, importOld],
  [6, readTailOf("chat")],
  [4, readTailOf("branch")],
  [3, readTailOf("turns")],
  [2, readAllOf("chat")],
  [2, readAllOf("edits")],
  [2, readAllOf("branch")],
  [1, readAllOf("turns")],
  [0.4, listAndRead],
];

/** One of the concurrent lanes of a worker. It runs random operations, one after the other. */
export class CallLane {
  readonly #context: OperationContext;
  readonly #tolerates: readonly ErrorCode[];
  readonly #mix: Mix;
  #stopped = false;

  constructor(
    context: OperationContext,
    options: { readonly turns: boolean; readonly tolerates: readonly ErrorCode[] },
  ) {
    this.#context = context;
    this.#tolerates = options.tolerates;
    const session = new PrivateSession();
    this.#mix = [...SHARED, [14, session.operation], ...(options.turns ? ([[40, takeTurn]] as const) : [])];
  }

  /** Runs operations until it is stopped. Calls `between` before each of them. */
  async run(between: () => void): Promise<void> {
    while (!this.#stopped) {
      between();
      await this.#try(this.#context.random.weighted(this.#mix));
      await pauseRandomly(this.#context, PAUSE_MS);
    }
  }

  /** Sends the appends again that this worker sent before its restart and that were not answered. */
  catchUp(): Promise<void> {
    return this.#try(resend);
  }

  /** Stops after the current operation. */
  stop(): void {
    this.#stopped = true;
  }

  async #try(operation: Operation | undefined): Promise<void> {
    try {
      await operation?.(this.#context);
    } catch (error) {
      // Without a pause, a full disk would fill the log with refusals.
      if (isExpectedError(error, this.#tolerates))
        return pauseRandomly(this.#context, PAUSE_AFTER_REFUSAL_MS);
      const { name, write } = this.#context;
      write({
        type: "unexpected-error",
        process: name,
        at: sharedClock(),
        session: "",
        detail: describeError(error),
      });
    }
  }
}
