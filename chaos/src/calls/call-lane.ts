import { sharedClock } from "@sessions/conformance/multi-process";
import type { ErrorCode } from "@sessions/protocol";
import { describeError, isExpectedError } from "../worker/expected-errors.js";
import { appendOnceTo, appendTo } from "./work/append.js";
import { archive, settings } from "./work/archive.js";
import { idle } from "./work/idle.js";
import { importOld } from "./work/import.js";
import { OwnSession } from "./work/own-session.js";
import { listAndRead, readAllOf, readTailOf } from "./work/read-session.js";
import { edit, replace } from "./work/replace.js";
import { resend } from "./work/resend.js";
import { rewind } from "./work/rewind.js";
import { takeTurn } from "./work/take-turn.js";
import type { Work, WorkContext } from "./work/work-context.js";

const REFUSED_MS = 60;

type Mix = readonly (readonly [weight: number, work: Work])[];

const SHARED: Mix = [
  [20, appendTo("chat")],
  [12, appendTo("branch")],
  [8, appendTo("edits")],
  [4, appendTo("turns")],
  [8, appendOnceTo("chat")],
  [4, appendOnceTo("branch")],
  [2, appendOnceTo("turns")],
  [7, replace],
  [5, edit],
  [3, archive],
  [3, settings],
  [1.5, rewind],
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

/** One of the concurrent lanes of a worker. It does one piece of work after the other. */
export class Lane {
  readonly #place: WorkContext;
  readonly #tolerates: readonly ErrorCode[];
  readonly #mix: Mix;
  #stopped = false;

  constructor(
    place: WorkContext,
    options: { readonly turns: boolean; readonly tolerates: readonly ErrorCode[] },
  ) {
    this.#place = place;
    this.#tolerates = options.tolerates;
    const own = new OwnSession();
    this.#mix = [...SHARED, [14, own.work], ...(options.turns ? ([[40, takeTurn]] as const) : [])];
  }

  /** Works until it is stopped. `between` is called between two pieces of work. */
  async run(between: () => void): Promise<void> {
    while (!this.#stopped) {
      between();
      await this.#try(this.#place.random.weighted(this.#mix));
      await idle(this.#place, 4);
    }
  }

  /** Sends the calls again that this worker made before its restart and got no answer to. */
  catchUp(): Promise<void> {
    return this.#try(resend);
  }

  /** Stops after the current piece of work. */
  stop(): void {
    this.#stopped = true;
  }

  async #try(work: Work | undefined): Promise<void> {
    try {
      await work?.(this.#place);
    } catch (error) {
      // Wait after a refusal. Otherwise a full disk would fill the log with refusals.
      if (isExpectedError(error, this.#tolerates)) return idle(this.#place, REFUSED_MS);
      const { name, write } = this.#place;
      write({
        type: "surprise",
        process: name,
        at: sharedClock(),
        session: "",
        detail: describeError(error),
      });
    }
  }
}
