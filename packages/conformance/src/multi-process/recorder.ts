import { SessionError } from "@sessions/protocol";
import type { HistoryAction, HistoryEvent, HistoryResult } from "../history/history-event.js";

/** Microseconds of the machine's monotonic clock, which all processes share. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Logs every call before it is made and when it has settled. */
export class Recorder {
  readonly #process: string;
  readonly #write: (event: HistoryEvent) => void;
  #calls = 0;

  /** `name`: the process's name in the log. No other process may use it. */
  constructor(name: string, write: (event: HistoryEvent) => void) {
    this.#process = name;
    this.#write = write;
  }

  /** Makes a call. A failure is logged and rethrown. */
  async call<Result>(
    session: string,
    action: HistoryAction,
    perform: () => Promise<Result>,
    toResult: (result: Result) => HistoryResult,
  ): Promise<Result> {
    const one = { process: this.#process, call: ++this.#calls };
    this.#write({ ...one, type: "invoke", at: sharedClock(), session, action });
    try {
      const result = await perform();
      this.#write({ ...one, type: "ok", at: sharedClock(), result: toResult(result) });
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
