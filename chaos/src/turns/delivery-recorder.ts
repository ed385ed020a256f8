import { sharedClock } from "@sessions/conformance/multi-process";
import { SessionError } from "@sessions/protocol";
import type { Told, TurnLine, Via } from "./turn-line.js";
import type { Update } from "./update.js";

/** Writes down every call before it is made and when it is answered. */
export class DeliveryRecorder {
  readonly #process: string;
  readonly #write: (line: TurnLine) => void;
  #calls = 0;

  constructor(process: string, write: (line: TurnLine) => void) {
    this.#process = process;
    this.#write = write;
  }

  /** Makes a call. A failure is written down and thrown on. */
  async call(update: Update, via: Via, perform: () => Promise<Told>): Promise<void> {
    const one = { process: this.#process, call: ++this.#calls };
    this.#write({ ...one, type: "delivered", at: sharedClock(), via, update });
    try {
      const told = await perform();
      this.#write({ ...one, ...told, type: "replied", at: sharedClock() });
    } catch (error) {
      const code = SessionError.is(error) ? error.code : String(error);
      this.#write({ ...one, type: "refused", at: sharedClock(), code });
      throw error;
    }
  }
}
