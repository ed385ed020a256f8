import type { CommitRequest } from "@sessions/protocol/backend";
import { CommitBatch, DamagedSession } from "./commit-batch.js";
import type { Committed } from "../committed.js";
import { isBusy } from "../error-mapping.js";
import { faultIn, type Whole } from "../session/preload-rows.js";
import { RowsNeeded } from "../rows-needed.js";
import type { SqliteContext } from "../sqlite-context.js";
import { NOTHING_STAGED, type Staged } from "../staged.js";
import { isLarge, stage, unstage } from "./stage-messages.js";
import type { Worked } from "../engine/transactions.js";

const NO_DAMAGE: ReadonlyMap<string, unknown> = new Map();

/** What a transaction is asked for. */
interface Asked {
  readonly requests: readonly CommitRequest[];
  readonly staged: Staged;
}

/** Carries out the requests of one call together, in a transaction. */
export class Commits {
  readonly #context: SqliteContext;

  constructor(context: SqliteContext) {
    this.#context = context;
  }

  /** Nearly every commit: nobody else writes, and little has to be read. `undefined` where it has to be done patiently. */
  now(requests: readonly CommitRequest[]): Committed | undefined {
    const { transactions } = this.#context;
    for (const request of requests) if (request.ops.length === 0 || isLarge(request)) return undefined;
    try {
      const committed = transactions.writeNow(() => this.#written(requests, NOTHING_STAGED, NO_DAMAGE));
      committed.remember();
      return committed;
    } catch (error) {
      if (isBusy(error) || error instanceof RowsNeeded || error instanceof DamagedSession) return undefined;
      throw error;
    }
  }

  /** Waits for other writers; what is much is read and written in parts. */
  async patiently(requests: readonly CommitRequest[]): Promise<Committed> {
    const { share } = this.#context;
    const attempt = (staged: Staged): Promise<Committed> =>
      faultIn(this.#context, (whole) => this.#attempt({ requests, staged }, whole));
    if (!requests.some(isLarge)) return attempt(NOTHING_STAGED);
    // What comes before a large commit and after it is much work too, and gets turns of its own.
    await share.afterOthers();
    const staged = await stage(this.#context, requests);
    try {
      return await attempt(staged);
    } finally {
      await this.#unstaged(staged);
      await share.afterOthers();
    }
  }

  /** Never fails: what the commit came to is decided. What is left behind is swept later. */
  async #unstaged(staged: Staged): Promise<void> {
    try {
      await unstage(this.#context, staged);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#context.notes.take("staging", `Rows that were written ahead stay for an hour: ${problem}`);
    }
  }

  async #attempt(asked: Asked, whole: Whole): Promise<Committed> {
    const damaged = new Map<string, unknown>();
    for (;;) {
      try {
        return await this.#attemptWithout(damaged, asked, whole);
      } catch (error) {
        if (!(error instanceof DamagedSession)) throw error;
        damaged.set(error.sessionId, error.cause);
      }
    }
  }

  async #attemptWithout(
    damaged: ReadonlyMap<string, unknown>,
    { requests, staged }: Asked,
    whole: Whole,
  ): Promise<Committed> {
    const { transactions } = this.#context;
    // Those who only ask whether a commit is known need not wait for writers.
    if (requests.every(({ ops }) => ops.length === 0))
      return transactions.read(() => whole(() => this.#decided(requests, staged, damaged)));
    const committed = await transactions.write(() => whole(() => this.#written(requests, staged, damaged)));
    committed.remember();
    return committed;
  }

  #decided(
    requests: readonly CommitRequest[],
    staged: Staged,
    damaged: ReadonlyMap<string, unknown>,
  ): CommitBatch {
    const batch = new CommitBatch(this.#context, staged, damaged);
    for (const request of requests) batch.decide(request);
    return batch;
  }

  #written(
    requests: readonly CommitRequest[],
    staged: Staged,
    damaged: ReadonlyMap<string, unknown>,
  ): Worked<Committed> {
    const result = this.#decided(requests, staged, damaged);
    result.write();
    return { result, writes: result.hasWritten };
  }
}
