import { expect, test } from "vitest";
import { type Capabilities, type CommitRequest, createStore, SessionError } from "../../src/index.js";
import { applyCommit } from "../../src/state/apply-commit.js";
import { FoldedBackend } from "./folded-backend.js";

/** A backend whose engine is synchronous: `commit` gives outcomes, not a promise of them. */
function atOnce(
  groupCommit: Capabilities["groupCommit"],
  fail: (requests: readonly CommitRequest[]) => void = () => undefined,
) {
  const backend = new FoldedBackend(undefined, undefined, groupCommit);
  return Object.assign(backend, {
    commit(requests: readonly CommitRequest[]) {
      backend.batches.push(requests.map(({ id }) => id));
      fail(requests);
      return requests.map((request) => {
        const { outcome, state } = applyCommit(backend.states.get(request.sessionId), request);
        if (state !== undefined) backend.states.set(request.sessionId, state);
        return outcome;
      });
    },
  });
}

const message = { role: "user", content: "hello" };

test.each(["session", "store"] as const)(
  "who adds a message is answered in the next tick (%s)",
  async (group) => {
    const store = createStore(atOnce(group));
    await store.addMessage("s", message);
    let answered = false;
    const adding = store.addMessage("s", message).then(() => {
      answered = true;
    });
    // One for callers of the same tick, one for the answer.
    for (let passed = 0; passed < 2; passed++) await Promise.resolve();
    expect(answered).toBe(true);
    await adding;
  },
);

test.each(["session", "store"] as const)("callers of one tick go together (%s)", async (group) => {
  const backend = atOnce(group);
  const store = createStore(backend);
  const results = await Promise.all([1, 2, 3].map(() => store.addMessage("s", message)));
  expect(results.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  expect(backend.batches).toHaveLength(1);
});

test.each(["session", "store"] as const)(
  "a batch that is thrown out is tried one by one (%s)",
  async (group) => {
    const backend = atOnce(group, (requests) => {
      if (requests.length > 1) throw new Error("too many");
    });
    const store = createStore(backend);
    await Promise.all([1, 2, 3].map(() => store.addMessage("s", message)));
    expect(backend.batches.map(({ length }) => length)).toEqual([3, 1, 1, 1]);
    expect(await store.getChatHistory("s")).toHaveLength(3);
  },
);

test("what is thrown reaches the caller: as it is if it is typed, else nobody knows the outcome", async () => {
  const failures = [SessionError.of("STORE_UNAVAILABLE", "The disk is gone.", {}), new Error("unforeseen")];
  const store = createStore(
    atOnce("store", () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    }),
  );
  await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(await store.addMessage("s", message)).toMatchObject({ revision: 1 });
});

test("what was called before the store is closed is carried out, and what is called later is not", async () => {
  const backend = atOnce("store");
  const store = createStore(backend);
  const adding = store.addMessage("s", message);
  const closing = store.close();
  await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await closing;
  expect(backend.ids("s")).toHaveLength(1);
  expect(await adding).toMatchObject({ revision: 1 });
});
