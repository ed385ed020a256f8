import { sharedClock } from "@sessions/conformance/multi-process";
import { SessionError } from "@sessions/protocol";
import type { CallResult, TurnLine, Via } from "./turn-line.js";
import type { Update } from "./update.js";

/** Logs every call before it is made and after it has returned. */
export class DeliveryRecorder {
  readonly #process: string;
  readonly #write: (line: TurnLine) => void;
  #calls = 0;

  constructor(process: string, write: (line: TurnLine) => void) {
    this.#process = process;
    this.#write = write;
  }

  /** Makes a call. Logs an error and rethrows it. */
  async call(update: Update, via: Via, perform: () => Promise<CallResult>): Promise<void> {
    const callId = { process: this.#process, call: ++this.#calls };
    this.#write({ ...callId, type: "delivered", at: sharedClock(), via, update });
    try {
      const result = await perform();
      this.#write({ ...callId, ...result, type: "replied", at: sharedClock() });
    } catch (error) {
      const code = SessionError.is(error) ? error.code : String(error);
      this.#write({ ...callId, type: "refused", at: sharedClock(), code });
      throw error;
    }
  }
}
