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
import { GivenBack } from "./given-back.js";
import { type LookIntent, queryOf, selectionOf } from "./look-intent.js";
import { ModelClock } from "./model-clock.js";
import { naiveList } from "./naive-list.js";
import { requestOf } from "./request-of.js";
import { expectSame } from "./same.js";
import { SessionModel } from "./session-model.js";
import type { StepIntent } from "./step-intent.js";

/** What a sequence runs on. */
export interface SequenceGround {
  readonly open: () => Promise<SessionBackend>;
  readonly storeHasClock: boolean;
  /** Makes the session ids of this sequence its own. */
  readonly name: string;
  /** Takes down everything that is sent: what a failure is reported with. */
  readonly transcript: unknown[];
}

const MOST_PAGES = 200;

/** One sequence of steps, taken by a store and by the model side by side. */
export class Sequence {
  readonly #ground: SequenceGround;
  readonly #clock: ModelClock;
  readonly #model: SessionModel;
  readonly #backends: SessionBackend[] = [];
  readonly #handedOut = [new GivenBack(), new GivenBack()] as const;

  constructor(ground: SequenceGround) {
    this.#ground = ground;
    this.#clock = new ModelClock(ground.storeHasClock);
    this.#model = new SessionModel(
      ["a", "b", "c", "d"].map((letter) => `${ground.name}-${letter}`),
      this.#clock.startedAt,
    );
  }

  async run(steps: readonly StepIntent[]): Promise<void> {
    this.#backends.push(await this.#ground.open(), await this.#ground.open());
    try {
      for (const step of steps) await this.#take(step);
      for (const instance of [0, 1] as const)
        for (const sessionId of this.#model.sessionIds) await this.#compare(instance, sessionId, Date.now());
    } finally {
      await this.#leaveNothing();
    }
  }

  async #take(step: StepIntent): Promise<void> {
    if (step.step === "reopen") await this.#reopen(step.instance);
    else await this.#commit(step);
    await this.#look(step.look);
  }

  async #reopen(instance: 0 | 1): Promise<void> {
    this.#ground.transcript.push(`reopen ${instance}`);
    await this.#backend(instance).close();
    this.#backends[instance] = await this.#ground.open();
  }

  async #commit(step: Extract<StepIntent, { readonly step: "commit" }>): Promise<void> {
    const ahead = this.#model.ahead();
    const requests = step.requests.map((intent) => {
      this.#clock.pass(intent.passed);
      return requestOf(intent, this.#model, ahead, this.#clock);
    });
    const backend = this.#backend(step.instance);
    for (const batch of batchesOf(requests, backend.capabilities.groupCommit)) {
      const { instance, givesBack } = step;
      this.#ground.transcript.push({ instance, commit: batch, givesBack });
      const copies = structuredClone(batch);
      const sent = givesBack ? this.#handedOut[instance].in(copies) : copies;
      this.#follow(batch, await backend.commit(sent));
    }
  }

  #follow(requests: readonly CommitRequest[], outcomes: readonly CommitOutcome[]): void {
    expectSame(outcomes.length, requests.length, "the number of outcomes");
    requests.forEach((request, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error(`no outcome for request ${index} of the batch`);
      this.#followOne(request, outcome);
      this.#model.remember(request);
    });
  }

  #followOne(request: CommitRequest, outcome: CommitOutcome): void {
    const timeless = this.#clock.storeHasClock;
    const actual = canonicalOutcome(outcome, timeless);
    const [first, ...others] = this.#clock.asJudged(request, outcome);
    const agrees = (judged: CommitRequest): boolean =>
      isDeepStrictEqual(canonicalOutcome(this.#model.outcomeOf(judged), timeless), actual);
    const judged = others.find(agrees) ?? first;
    expectSame(
      actual,
      canonicalOutcome(this.#model.commit(judged), timeless),
      `the outcome of commit "${request.id}"`,
    );
  }

  async #look(look: LookIntent): Promise<void> {
    const backend = this.#backend(look.instance);
    const now = Date.now();
    const { instance, whole } = look;
    const sessions = look.sessions.map((index) => this.#model.sessionIds[index] ?? "");
    this.#ground.transcript.push({ instance, look: sessions, whole });
    for (const sessionId of sessions) {
      if (whole) await this.#compare(instance, sessionId, now);
      await this.#read(look, sessionId, now);
    }
    const known = this.#model.known(this.#model.sessionIds[0] ?? "", now);
    await this.#list(backend, queryOf(look, known, this.#clock.now), now);
  }

  async #compare(instance: 0 | 1, sessionId: string, now: number): Promise<void> {
    const state = this.#model.live(sessionId, now);
    const expected = state === undefined ? undefined : documentOf(state);
    const actual = await this.#backend(instance).document(sessionId);
    expectSame(canonicalDocument(actual), canonicalDocument(expected), `document of "${sessionId}"`);
    if (actual !== undefined) this.#handedOut[instance].sawDocument(actual);
  }

  async #read(look: LookIntent, sessionId: string, now: number): Promise<void> {
    const select = selectionOf(look, this.#model.known(sessionId, now));
    const state = this.#model.live(sessionId, now);
    const expected = await settled(() =>
      state === undefined ? undefined : readState(sessionId, state, select),
    );
    const actual = await settled(async () => {
      const record = await this.#backend(look.instance).read(sessionId, select);
      this.#handedOut[look.instance].saw(record?.messages ?? []);
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
    const expected = naiveList(this.#model.allLive(now), query);
    expectSame(
      actual.map(canonicalSummary),
      expected.map(canonicalSummary),
      `list with ${JSON.stringify(query)}`,
    );
  }

  /** All pages together; of this sequence only, for others may have left something. */
  async #pages(backend: SessionBackend, query: ListQuery): Promise<readonly SummaryRecord[]> {
    const items: SummaryRecord[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < MOST_PAGES; count++) {
      const page = await backend.list(cursor === undefined ? query : { ...query, cursor });
      if (page.items.length > query.limit)
        throw new Error(`a page of ${page.items.length}, with a limit of ${query.limit}`);
      items.push(...page.items.filter((item) => this.#model.sessionIds.includes(item.id)));
      cursor = page.cursor;
      if (cursor === undefined) return items;
    }
    throw new Error(`the listing does not end: ${MOST_PAGES} pages with ${JSON.stringify(query)}`);
  }

  #backend(instance: 0 | 1): SessionBackend {
    const backend = this.#backends[instance];
    if (backend === undefined) throw new Error("the sequence has not begun");
    return backend;
  }

  async #leaveNothing(): Promise<void> {
    const [backend] = this.#backends;
    for (const sessionId of this.#model.sessionIds) {
      await backend?.commit([
        { sessionId, id: "leave-nothing", at: this.#clock.now, ops: [{ op: "delete" }] },
      ]);
    }
    await Promise.all(this.#backends.map((one) => one.close()));
  }
}

/** As the store takes them: all together, or by session where one call may not span sessions. */
function batchesOf(
  requests: readonly CommitRequest[],
  group: "session" | "store",
): readonly (readonly CommitRequest[])[] {
  if (group === "store") return [requests];
  const sessions = [...new Set(requests.map((request) => request.sessionId))];
  return sessions.map((sessionId) => requests.filter((request) => request.sessionId === sessionId));
}
