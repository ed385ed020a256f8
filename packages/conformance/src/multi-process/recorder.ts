import { SessionError } from "@sessions/protocol";
import type { HistoryAction, HistoryEvent, HistoryResult } from "../history/history-event.js";

/** Microseconds of the machine's monotonic clock, which all of its processes share. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Writes down every call before it is made and when it is answered. */
export class Recorder {
  readonly #process: string;
  readonly #write: (event: HistoryEvent) => void;
  #calls = 0;

  /** `name` is this process's in the log, and nobody else's. */
  constructor(name: string, write: (event: HistoryEvent) => void) {
    this.#process = name;
    this.#write = write;
  }

  /** Makes a call. A failure is written down and thrown on. */
  async call<Result>(
    session: string,
    action: HistoryAction,
    perform: () => Promise<Result>,
    tell: (result: Result) => HistoryResult,
  ): Promise<Result> {
    const one = { process: this.#process, call: ++this.#calls };
    this.#write({ ...one, type: "invoke", at: sharedClock(), session, action });
    try {
      const result = await perform();
      this.#write({ ...one, type: "ok", at: sharedClock(), result: tell(result) });
      return result;
    } catch (error) {
      const refused = SessionError.is(error) && error.code !== "OUTCOME_UNKNOWN";
      this.#write({
        ...one,
        at: sharedClock(),
        ...(refused ? { type: "fail", code: error.code } : { type: "unknown" }),
      });
      throw error;
    }
  }
}
