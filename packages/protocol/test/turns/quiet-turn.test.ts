import { expect, test } from "vitest";
import type { Change, WatchTarget } from "../../src/backend/change.js";
import type { CommitOutcome } from "../../src/backend/commit-outcome.js";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import type { Selection } from "../../src/backend/selection.js";
import type { SessionRecord } from "../../src/backend/session-record.js";
import { ChangeFeed, createStore, endTurn, type SessionStore, type Turn } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";
import { ManualClock } from "./manual-clock.js";

const TTL_MS = 9_000;

/** Publishes each change at once, and answers its commit later. Counts reads. */
class CountingBackend extends MapBackend {
  reads = 0;
  answerAfterMs = 0;
  readonly #clock: ManualClock;
  readonly #feed = new ChangeFeed();

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  override async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const outcomes = await super.commit(requests);
    for (const { sessionId } of requests) {
      const state = this.states.get(sessionId);
      if (state !== undefined)
        this.#feed.publish({ sessionId, revision: state.revision, at: this.#clock.now(), cursor: "" });
    }
    if (this.answerAfterMs > 0)
      await new Promise<void>((resolve) => this.#clock.after(this.answerAfterMs, resolve));
    return outcomes;
  }

  override read(sessionId: string, select: Selection): Promise<SessionRecord | undefined> {
    this.reads++;
    return super.read(sessionId, select);
  }

  override watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    return this.#feed.watch(target, signal, () => []);
  }
}

/** A turn that has just begun. The clock stands still, so no renewal finds what the feed should deliver. */
async function held() {
  const clock = new ManualClock();
  const backend = new CountingBackend(clock);
  const store = createStore(backend, { clock });
  const turn = await begun(store);
  await clock.pass(0);
  return { clock, backend, store, turn };
}

async function begun(store: SessionStore): Promise<Turn> {
  const result = await store.beginTurn("s", { ttlMs: TTL_MS });
  if (result.status !== "begun") throw new Error("the turn did not begin");
  return result.turn;
}

async function appendAll(turn: Turn, clock: ManualClock, backend: CountingBackend): Promise<void> {
  for (const content of ["one", "two", "three", "four", "five"]) {
    const appended = turn.append({ role: "assistant", content });
    await clock.pass(backend.answerAfterMs);
    await appended;
    await clock.pass(0);
  }
}

test.each([0, 10])(
  "a turn without foreign changes reads its session once, when it begins (answers take %i ms)",
  async (ms) => {
    const { clock, backend, turn } = await held();
    backend.answerAfterMs = ms;
    await appendAll(turn, clock, backend);
    await Promise.all([turn.complete(), clock.pass(ms)]);
    await clock.pass(0);
    expect(backend.reads).toBe(1);
  },
);

test("a turn that sends several commits at once does not read its session after them", async () => {
  const { clock, backend, turn } = await held();
  await Promise.all(["one", "two", "three"].map((content) => turn.append({ role: "assistant", content })));
  await clock.pass(0);
  expect(backend.reads).toBe(1);
});

test("an interruption is noticed when the turn's own commit follows it in the same batch", async () => {
  const { clock, store, turn } = await held();
  await Promise.all([store.interruptTurn("s"), turn.append({ role: "assistant", content: "more" })]);
  await clock.pass(0);
  expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
});

test("an interruption is noticed while the answer to a commit of the turn is delayed", async () => {
  const { clock, backend, store, turn } = await held();
  backend.answerAfterMs = 2_000;
  const sent = [store.interruptTurn("s"), turn.append({ role: "assistant", content: "more" })];
  await clock.pass(100);
  expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "interrupted" });
  await clock.pass(10_000);
  await Promise.all(sent);
});

test("a turn that ends itself with a plain commit notices that", async () => {
  const { clock, turn } = await held();
  await turn.commit([endTurn("completed")]);
  await clock.pass(0);
  expect(turn.signal.reason).toMatchObject({ code: "TURN_LOST", reason: "ended" });
});
