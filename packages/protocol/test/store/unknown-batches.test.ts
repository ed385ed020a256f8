import { describe, expect, test } from "vitest";
import type { CommitOutcome } from "../../src/backend/commit-outcome.js";
import type { CommitRequest } from "../../src/backend/commit-request.js";
import {
  type Clock,
  createStore,
  type ErrorCode,
  SessionError,
  type SessionStore,
} from "../../src/backend.js";
import { MapBackend } from "./map-backend.js";

const failure = (code: ErrorCode): SessionError =>
  code === "OUTCOME_UNKNOWN"
    ? SessionError.of(code, "the disk did not confirm it", { commitId: "" })
    : SessionError.of(code, "the store failed", {});

interface Failures {
  /** The error of the first sending. */
  readonly first: unknown;
  /** Whether the first sending is applied before it fails. */
  readonly applied: boolean;
  /** The error of every later sending. If absent, they succeed. */
  readonly later?: SessionError | undefined;
  /** Whether the later failure is thrown or returned as a rejection, as backends with a server do. */
  readonly as?: "thrown" | "rejection";
}

/** A backend whose batches fail as configured. */
class FailingBackend extends MapBackend {
  readonly #failures: Failures;
  sendings = 0;

  constructor(failures: Failures) {
    super();
    this.#failures = failures;
  }

  override async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { first, applied, later, as = "thrown" } = this.#failures;
    this.sendings++;
    if (this.sendings === 1) {
      if (applied) await super.commit(requests);
      throw first;
    }
    if (later === undefined) return super.commit(requests);
    if (as === "thrown") throw later;
    return requests.map(() => ({ status: "rejected", error: later }));
  }
}

const LATER: readonly ErrorCode[] = [
  "STORE_UNAVAILABLE",
  "STORE_FULL",
  "STORE_BUSY",
  "STORE_CLOSED",
  "SESSION_CORRUPTED",
  "FORMAT_UNSUPPORTED",
  "OUTCOME_UNKNOWN",
];

const three = (store: SessionStore): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(["a", "b", "c"].map((id) => store.addMessage("s", { id, role: "user" })));

const codes = (settled: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  settled.map((one) => (one.status === "rejected" ? one.reason.code : "done"));

describe.each(["thrown", "rejection"] as const)("a second sending whose failure is a %s", (as) => {
  test.each(LATER)("with %s leaves every commit of an unknown batch unknown", async (code) => {
    const backend = new FailingBackend({
      first: failure("OUTCOME_UNKNOWN"),
      applied: true,
      later: failure(code),
      as,
    });
    const settled = await three(createStore(backend));
    expect(backend.ids("s"), "the batch was applied").toEqual(["a", "b", "c"]);
    expect(codes(settled)).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
    const [ids] = backend.batches;
    for (const [index, one] of settled.entries())
      expect(one).toMatchObject({ reason: { commitId: ids?.[index], retryable: true } });
  });

  test("keeps its error as the cause", async () => {
    const later = failure("STORE_UNAVAILABLE");
    const backend = new FailingBackend({ first: new Error("connection reset"), applied: true, later, as });
    const [first] = await three(createStore(backend));
    expect(first).toMatchObject({ reason: { code: "OUTCOME_UNKNOWN", cause: later } });
  });

  test("reaches the caller if the first error says that nothing was changed", async () => {
    const later = failure("STORE_UNAVAILABLE");
    const backend = new FailingBackend({ first: failure("STORE_FULL"), applied: false, later, as });
    expect(codes(await three(createStore(backend)))).toEqual(
      LATER.slice(0, 3).map(() => "STORE_UNAVAILABLE"),
    );
    expect(backend.ids("s")).toEqual([]);
  });
});

test.each([true, false])(
  "a second sending resolves a batch of unknown outcome (applied before: %s)",
  async (applied) => {
    const backend = new FailingBackend({ first: failure("OUTCOME_UNKNOWN"), applied });
    const store = createStore(backend);
    const settled = await three(store);
    expect(codes(settled)).toEqual(["done", "done", "done"]);
    expect(settled).toMatchObject([{ value: { duplicate: false } }, {}, {}]);
    expect(backend.ids("s")).toEqual(["a", "b", "c"]);
  },
);

test("an applied commit is reported as applied, even if its conditions no longer hold when it is sent again", async () => {
  const backend = new FailingBackend({ first: failure("OUTCOME_UNKNOWN"), applied: true });
  const store = createStore(backend);
  const created = store.createSession("s", { title: "first" });
  const counted = store.incrementCounters("s", { n: 1 }, { ifRevision: 1 });
  await expect(created).resolves.toMatchObject({ revision: 1 });
  await expect(counted).resolves.toMatchObject({ revision: 2, duplicate: false });
});

test("a refusal of the second sending is final, because the commit-id window is checked first", async () => {
  const backend = new FailingBackend({ first: failure("OUTCOME_UNKNOWN"), applied: false });
  const store = createStore(backend);
  const settled = await Promise.allSettled([
    store.addMessage("s", { id: "a", role: "user" }),
    store.addMessage("s", { id: "a", role: "assistant" }),
    store.incrementCounters("s", { n: 1 }, { ifRevision: 7 }),
  ]);
  expect(codes(settled)).toEqual(["done", "MESSAGE_ID_TAKEN", "REVISION_CONFLICT"]);
});

test("a batch that fails with DATA_LOST fails for every caller, and is not sent again", async () => {
  const backend = new FailingBackend({ first: failure("DATA_LOST"), applied: false });
  expect(codes(await three(createStore(backend)))).toEqual(["DATA_LOST", "DATA_LOST", "DATA_LOST"]);
  expect(backend.sendings).toBe(1);
});

test("a turn that may have begun is not reported as one that did not", async () => {
  const backend = new FailingBackend({
    first: failure("OUTCOME_UNKNOWN"),
    applied: true,
    later: failure("STORE_UNAVAILABLE"),
  });
  const begun = createStore(backend).beginTurn("s", { ttlMs: 60_000 });
  await expect(begun).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
});

test("the age of a second sending counts from the time in the first one", async () => {
  // Requests wait in the queue for some time before they are sent.
  let now = 1000;
  const clock: Clock = { now: () => now, monotonic: () => now, after: () => () => undefined };
  const sent: CommitRequest[] = [];
  const backend = new (class extends FailingBackend {
    override async commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
      sent.push(...requests);
      now += 5;
      return super.commit(requests);
    }
  })({ first: failure("OUTCOME_UNKNOWN"), applied: true });
  const store = createStore(backend, { clock });
  const calls = ["a", "b"].map((id) => store.addMessage("s", { id, role: "user" }));
  now += 50; // enqueued at 1000, sent at 1050
  await Promise.all(calls);
  expect(sent.map(({ at, ageMs = 0 }) => at - ageMs)).toEqual([1000, 1000, 1000, 1000]);
});
