import type { Ledger, LedgerStore } from "./ledger.js";

/** Callers that send one message after the other, until they are stopped. */
export class Load {
  readonly #callers: Promise<void>;
  #stopped = false;
  #sent = 0;
  readonly #waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();

  /** For each session two callers. */
  constructor(stores: readonly LedgerStore[], sessions: readonly string[], ledger: Ledger) {
    const callers = stores.flatMap((store) => sessions.map((session) => this.#run(store, session, ledger)));
    this.#callers = Promise.all(callers).then(() => undefined);
  }

  /** Resolves when so many more messages have been acknowledged. */
  async more(count: number): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.add({ count: this.#sent + count, resolve }));
  }

  /** After the calls that are under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#callers;
  }

  async #run(store: LedgerStore, session: string, ledger: Ledger): Promise<void> {
    while (!this.#stopped) {
      if ((await ledger.send(store, session)) === "acknowledged") this.#sent++;
      // A refusal that costs nothing must not become a loop that lets nobody else run.
      else await new Promise((resolve) => setTimeout(resolve, 5));
      for (const waiting of this.#waiting)
        if (this.#sent >= waiting.count && this.#waiting.delete(waiting)) waiting.resolve();
    }
  }
}
