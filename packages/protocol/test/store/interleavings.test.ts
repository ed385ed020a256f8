import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MutationResult } from "../../src/api/mutation.js";
import type { SessionStore } from "../../src/api/session-store.js";
import { append, set } from "../../src/operations/builders.js";
import type { SessionState } from "../../src/state/session-state.js";
import { createStore } from "../../src/store/create-store.js";
import { adds, calls, make } from "./calls.js";
import { expectOnce, expectOwnOutcomes } from "./expected-outcomes.js";
import { MapBackend } from "./map-backend.js";
import { scheduledClock, scheduledHooks, settleAll } from "./scheduled.js";

const RUNS = { numRuns: 200 };

const groups = fc.constantFrom("session" as const, "store" as const);

async function prepared(backend: MapBackend): Promise<void> {
  const store = createStore(new MapBackend(undefined, backend.states));
  for (const session of ["s1", "s2"]) {
    await store.addMessage(session, { id: "taken", role: "user", content: "the first" });
    await store.updateSessionMetadata(session, { settled: true });
  }
}

describe("calls that nobody waits for", () => {
  test("are applied in call order, and each gets its own outcome", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, groups, async (scheduler, list, group) => {
        const backend = new MapBackend(scheduledHooks(scheduler), new Map(), group);
        await prepared(backend);
        const store = createStore(backend, { clock: scheduledClock(scheduler) });
        const results = await settleAll(
          scheduler,
          list.map((call, index) => make(store, call, index)),
        );
        for (const session of ["s1", "s2"]) {
          const sent = list.flatMap((call, index) =>
            call.session === session && adds(call) ? [`m${index}`] : [],
          );
          expect(backend.ids(session)).toEqual(["taken", ...sent]);
        }
        expectOwnOutcomes(list, results);
      }),
      RUNS,
    );
  });

  test("survive the failure of a whole batch: acknowledged messages are there once, in order", async () => {
    const failures = fc.infiniteStream(fc.constantFrom(false, false, true));
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, groups, failures, async (scheduler, list, group, stream) => {
        const hooks = scheduledHooks(scheduler, (what) => what === "commit" && stream.next().value === true);
        const backend = new MapBackend(hooks, new Map(), group);
        await prepared(backend);
        const store = createStore(backend, { clock: scheduledClock(scheduler) });
        const results = await settleAll(
          scheduler,
          list.map((call, index) => make(store, call, index)),
        );
        for (const session of ["s1", "s2"]) expectOnce(session, list, results, backend.ids(session));
      }),
      RUNS,
    );
  });

  test("get the messages that they removed, also if the reply to their batch was lost", async () => {
    const backend = new MapBackend(undefined, new Map(), "store");
    await prepared(backend);
    const commit = backend.commit.bind(backend);
    let lost = 0;
    backend.commit = async (requests) => {
      const outcomes = await commit(requests);
      if (requests.length > 1 && lost++ === 0) throw new Error("the reply was lost");
      return outcomes;
    };
    const store = createStore(backend);
    const read = backend.read.bind(backend);
    let adding: Promise<MutationResult> | undefined;
    backend.read = async (...call) => {
      adding ??= store.addMessage("t1", { role: "user", content: "hi" }); // goes together with what is popped
      return read(...call);
    };
    const popped = await store.popMessage("s1");
    await adding;
    expect(lost, "a batch of several was lost").toBe(1);
    expect(popped).toMatchObject({ duplicate: false, messages: [{ id: "taken" }] });
  });

  test("do not disturb each other when the backend throws before it returns a promise", async () => {
    const backend = new MapBackend();
    const store = createStore(backend);
    const commit = backend.commit.bind(backend);
    backend.commit = (requests) => {
      if (requests.length > 1 || requests[0]?.ops.some((op) => op.op === "count")) throw new Error("at once");
      return commit(requests);
    };
    const results = await Promise.allSettled([
      store.addMessage("s1", { id: "m1", role: "user", content: "a" }),
      store.incrementCounters("s1", { a: 1 }),
      store.addMessage("s1", { id: "m2", role: "user", content: "b" }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(backend.ids("s1")).toEqual(["m1", "m2"]);
  });

  test("can be cancelled while they are queued, and are then not applied", async () => {
    const taken = fc.array(fc.nat({ max: 11 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 12 }),
        taken,
        groups,
        async (scheduler, count, back, group) => {
          const backend = new MapBackend(scheduledHooks(scheduler), new Map(), group);
          const store = createStore(backend, { clock: scheduledClock(scheduler) });
          const aborts = Array.from({ length: count }, () => new AbortController());
          const all = aborts.map(({ signal }, index) => {
            const message = { id: `m${index}`, role: "user", content: "" };
            return index % 3 === 2
              ? store.updateSession("s", () => append(message), { signal })
              : store.addMessage("s", message, { signal });
          });
          // Some are cancelled before anything was sent, others after that.
          for (const index of back)
            scheduler.schedule(Promise.resolve(), "abort").then(() => aborts[index % count]?.abort());
          if (back.length > 3) aborts[0]?.abort();
          const results = await settleAll(scheduler, all);
          const applied = results.flatMap((result, index) =>
            result.status === "fulfilled" ? [`m${index}`] : [],
          );
          expect(backend.ids("s"), "resolved = applied, taken back = not applied").toEqual(applied);
          for (const [index, result] of results.entries()) {
            if (result.status === "rejected") expect(aborts[index]?.signal.aborted).toBe(true);
          }
        },
      ),
      RUNS,
    );
  });

  test("with the same commit id are applied once, also within one batch", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), groups, fc.boolean(), async (scheduler, group, computed) => {
        const backend = new MapBackend(scheduledHooks(scheduler), new Map(), group);
        const store = createStore(backend, { clock: scheduledClock(scheduler) });
        const message = { role: "user", content: "once" };
        const call = (): Promise<MutationResult> =>
          computed
            ? store.updateSession("s", () => append(message), { commitId: "c" })
            : store.addMessage("s", message, { commitId: "c" });
        const results = await settleAll(scheduler, [call(), call(), call()]);
        const told = results.map((result) => (result.status === "fulfilled" ? result.value : result.reason));
        expect(told.map((one: MutationResult) => one.duplicate)).toEqual([false, true, true]);
        expect(
          new Set(told.map((one: MutationResult) => `${one.revision} ${one.messages.map(({ id }) => id)}`))
            .size,
        ).toBe(1);
        expect(backend.ids("s")).toHaveLength(1);
      }),
      RUNS,
    );
  });
});

describe("two stores on the same data", () => {
  test("lose no computed change, in any interleaving of their reads and commits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.nat({ max: 4 }),
        fc.nat({ max: 4 }),
        async (scheduler, first, second) => {
          const states = new Map<string, SessionState>();
          const stores = [0, 1].map(() => {
            const backend = new MapBackend(scheduledHooks(scheduler), states);
            return createStore(backend, { clock: scheduledClock(scheduler), conflictDeadlineMs: 1_000_000 });
          });
          const increment = (store: SessionStore | undefined): Promise<MutationResult> | undefined =>
            store?.updateSession("s", (session) => [
              append({ role: "user", content: "+1" }),
              set({ metadata: { sum: Number(session?.metadata["sum"] ?? 0) + 1 } }),
            ]);
          const all = [...Array(first).fill(stores[0]), ...Array(second).fill(stores[1])].map(increment);
          const results = await settleAll(
            scheduler,
            all.filter((one) => one !== undefined),
          );
          expect(results.filter((result) => result.status === "rejected")).toEqual([]);
          const state = states.get("s");
          const sum = state?.status === "live" ? state.metadata["sum"] : 0;
          expect(sum).toBe(first + second);
          expect(state?.revision ?? 0).toBe(first + second);
        },
      ),
      RUNS,
    );
  });
});
