import { isDeepStrictEqual } from "node:util";
import {
  type CommitOutcome,
  type CommitRequest,
  documentOf,
  type ListQuery,
  readState,
  type SessionBackend,
  SessionError,
  type SummaryRecord,
} from "@sessions/protocol/backend";
import {
  canonicalDocument,
  canonicalError,
  canonicalOutcome,
  canonicalRecord,
  canonicalSummary,
} from "./canonical.js";
import { expectSame } from "./expect-same.js";
import { expectedList } from "./expected-list.js";
import { ModelClock } from "./model-clock.js";
import { queryOf, type ReadIntent, selectionOf } from "./read-intent.js";
import { requestOf } from "./request-of.js";
import { SeenMessages } from "./seen-messages.js";
import { SessionModel } from "./session-model.js";
import type { StepIntent } from "./step-intent.js";

/** Options of a sequence. */
export interface SequenceOptions {
  readonly open: () => Promise<SessionBackend>;
  readonly storeHasClock: boolean;
  /** The prefix of the session ids of this sequence. */
  readonly name: string;
  /** Gets every step, for the report of a failure. */
  readonly transcript: unknown[];
}

const MAX_PAGES = 200;

/** Runs a sequence of steps on a store and on the model, and compares them after each step. */
export class Sequence {
  readonly #options: SequenceOptions;
  readonly #clock: ModelClock;
  readonly #model: SessionModel;
  readonly #backends: SessionBackend[] = [];
  readonly #seen = [new SeenMessages(), new SeenMessages()] as const;

  constructor(options: SequenceOptions) {
    this.#options = options;
    this.#clock = new ModelClock(options.storeHasClock);
    this.#model = new SessionModel(
      ["a", "b", "c", "d"].map((letter) => `${options.name}-${letter}`),
      this.#clock.startedAt,
    );
  }

  async run(steps: readonly StepIntent[]): Promise<void> {
    this.#backends.push(await this.#options.open(), await this.#options.open());
    try {
      for (const step of steps) await this.#runStep(step);
      for (const instance of [0, 1] as const)
        for (const sessionId of this.#model.sessionIds)
          await this.#compareDocument(instance, sessionId, Date.now());
    } finally {
      await this.#deleteSessions();
    }
  }

  async #runStep(step: StepIntent): Promise<void> {
    if (step.step === "reopen") await this.#reopen(step.instance);
    else await this.#commit(step);
    await this.#readBack(step.read);
  }

  async #reopen(instance: 0 | 1): Promise<void> {
    this.#options.transcript.push(`reopen ${instance}`);
    await this.#backend(instance).close();
    this.#backends[instance] = await this.#options.open();
  }

  async #commit(step: Extract<StepIntent, { readonly step: "commit" }>): Promise<void> {
    const preview = this.#model.copy();
    const requests = step.requests.map((intent) => {
      this.#clock.advance(intent.passedMs);
      return requestOf(intent, this.#model, preview, this.#clock);
    });
    const backend = this.#backend(step.instance);
    for (const batch of batchesOf(requests, backend.capabilities.groupCommit)) {
      const { instance, reusesObjects: givesBack } = step;
      this.#options.transcript.push({ instance, commit: batch, givesBack });
      const copies = structuredClone(batch);
      const sent = givesBack ? this.#seen[instance].reuseIn(copies) : copies;
      this.#checkOutcomes(batch, await backend.commit(sent));
    }
  }

  #checkOutcomes(requests: readonly CommitRequest[], outcomes: readonly CommitOutcome[]): void {
    expectSame(outcomes.length, requests.length, "the number of outcomes");
    requests.forEach((request, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error(`no outcome for request ${index} of the batch`);
      this.#checkOutcome(request, outcome);
      this.#model.remember(request);
    });
  }

  #checkOutcome(request: CommitRequest, outcome: CommitOutcome): void {
    const timeless = this.#clock.storeHasClock;
    const actual = canonicalOutcome(outcome, timeless);
    const [first, ...others] = this.#clock.withStoreTime(request, outcome);
    const agrees = (judged: CommitRequest): boolean =>
      isDeepStrictEqual(canonicalOutcome(this.#model.outcomeOf(judged), timeless), actual);
    const judged = others.find(agrees) ?? first;
    expectSame(
      actual,
      canonicalOutcome(this.#model.commit(judged), timeless),
      `the outcome of commit "${request.id}"`,
    );
  }

  async #readBack(intent: ReadIntent): Promise<void> {
    const backend = this.#backend(intent.instance);
    const now = Date.now();
    const { instance, whole } = intent;
    const sessions = intent.sessions.map((index) => this.#model.sessionIds[index] ?? "");
    this.#options.transcript.push({ instance, intent: sessions, whole });
    for (const sessionId of sessions) {
      if (whole) await this.#compareDocument(instance, sessionId, now);
      await this.#read(intent, sessionId, now);
    }
    const view = this.#model.viewOf(this.#model.sessionIds[0] ?? "", now);
    await this.#list(backend, queryOf(intent, view, this.#clock.now), now);
  }

  async #compareDocument(instance: 0 | 1, sessionId: string, now: number): Promise<void> {
    const state = this.#model.live(sessionId, now);
    const expected = state === undefined ? undefined : documentOf(state);
    const actual = await this.#backend(instance).document(sessionId);
    expectSame(canonicalDocument(actual), canonicalDocument(expected), `document of "${sessionId}"`);
    if (actual !== undefined) this.#seen[instance].rememberDocument(actual);
  }

  async #read(intent: ReadIntent, sessionId: string, now: number): Promise<void> {
    const select = selectionOf(intent, this.#model.viewOf(sessionId, now));
    const state = this.#model.live(sessionId, now);
    const expected = await settled(() =>
      state === undefined ? undefined : readState(sessionId, state, select),
    );
    const actual = await settled(async () => {
      const record = await this.#backend(intent.instance).read(sessionId, select);
      this.#seen[intent.instance].remember(record?.messages ?? []);
      return record;
    });
    expectSame(actual, expected, `read of "${sessionId}" with ${JSON.stringify(select)}`);

    async function settled(
      read: () => Parameters<typeof canonicalRecord>[0] | ReturnType<SessionBackend["read"]>,
    ): Promise<unknown> {
      try {
        return canonicalRecord(await read());
      } catch (error) {
        if (!SessionError.is(error)) throw error;
        return { refused: canonicalError(error) };
      }
    }
  }

  async #list(backend: SessionBackend, query: ListQuery, now: number): Promise<void> {
    const actual = await this.#pages(backend, query);
    const expected = expectedList(this.#model.allLive(now), query);
    expectSame(
      actual.map(canonicalSummary),
      expected.map(canonicalSummary),
      `list with ${JSON.stringify(query)}`,
    );
  }

  /** All pages together, without sessions of other sequences. */
  async #pages(backend: SessionBackend, query: ListQuery): Promise<readonly SummaryRecord[]> {
    const items: SummaryRecord[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < MAX_PAGES; count++) {
      const page = await backend.list(cursor === undefined ? query : { ...query, cursor });
      if (page.items.length > query.limit)
        throw new Error(`a page of ${page.items.length}, with a limit of ${query.limit}`);
      items.push(...page.items.filter((item) => this.#model.sessionIds.includes(item.id)));
      cursor = page.cursor;
      if (cursor === undefined) return items;
    }
    throw new Error(`the listing does not end: ${MAX_PAGES} pages with ${JSON.stringify(query)}`);
  }

  #backend(instance: 0 | 1): SessionBackend {
    const backend = this.#backends[instance];
    if (backend === undefined) throw new Error("the sequence has not begun");
    return backend;
  }

  async #deleteSessions(): Promise<void> {
    const [backend] = this.#backends;
    for (const sessionId of this.#model.sessionIds) {
      await backend?.commit([
        { sessionId, id: "leave-nothing", at: this.#clock.now, ops: [{ op: "delete" }] },
      ]);
    }
    await Promise.all(this.#backends.map((one) => one.close()));
  }
}

/** The batches that the store accepts: all requests together, or those of each session. */
function batchesOf(
  requests: readonly CommitRequest[],
  group: "session" | "store",
): readonly (readonly CommitRequest[])[] {
  if (group === "store") return [requests];
  const sessions = [...new Set(requests.map((request) => request.sessionId))];
  return sessions.map((sessionId) => requests.filter((request) => request.sessionId === sessionId));
}
