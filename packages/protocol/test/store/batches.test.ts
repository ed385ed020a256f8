import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createStore, SessionError, type SessionStore } from "../../src/backend.js";
import { BatchSize } from "../../src/queue/batch-size.js";
import { MapBackend } from "./map-backend.js";

const message = { role: "user", content: "hello" };

/** A backend that replies when the test lets it. */
function slowBackend(groupCommit: "session" | "store" = "session") {
  const replies: (() => void)[] = [];
  const after = (what: string): Promise<void> =>
    what === "commit" ? new Promise((resolve) => replies.push(resolve)) : Promise.resolve();
  const backend = new MapBackend({ before: async () => undefined, after }, undefined, groupCommit);
  return { backend, replies };
}

const add = (store: SessionStore, id: string, session = "s"): Promise<unknown> =>
  store.addMessage(session, { id, role: "user" });

/** Lets all pending work run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

async function replyToAll(replies: (() => void)[], calls: readonly Promise<unknown>[]): Promise<void> {
  let done = false;
  const all = Promise.all(calls).finally(() => {
    done = true;
  });
  while (!done) {
    replies.shift()?.();
    await settle();
  }
  await all;
}

describe.each(["session", "store"] as const)("with batches of one %s", (group) => {
  test("calls of the same turn of the event loop share a batch, in call order", async () => {
    const backend = new MapBackend(undefined, undefined, group);
    const store = createStore(backend);
    const results = await Promise.all([1, 2, 3].map(() => store.addMessage("s", message)));
    expect(results.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(backend.batches).toHaveLength(1);
  });

  test("calls made while a batch is being sent share the next batch", async () => {
    const { backend, replies } = slowBackend(group);
    const store = createStore(backend);
    const calls: Promise<unknown>[] = [];
    for (const id of ["a", "b", "c", "d"]) {
      calls.push(add(store, id));
      await settle();
    }
    expect(backend.batches.map(({ length }) => length)).toEqual([1]);
    await replyToAll(replies, calls);
    expect(backend.batches.map(({ length }) => length)).toEqual([1, 3]);
    expect(backend.ids("s")).toEqual(["a", "b", "c", "d"]);
  });

  test("a batch that fails as a whole is sent again one by one", async () => {
    const backend = new MapBackend(undefined, undefined, group);
    const commit = backend.commit.bind(backend);
    const lengths: number[] = [];
    backend.commit = async (requests) => {
      lengths.push(requests.length);
      if (requests.length > 1) throw new Error("too many");
      return commit(requests);
    };
    const store = createStore(backend);
    await Promise.all([1, 2, 3].map(() => store.addMessage("s", message)));
    expect(lengths).toEqual([3, 1, 1, 1]);
    expect(await store.getChatHistory("s")).toHaveLength(3);
  });

  test("a computed change waits for earlier calls, and later calls wait for it", async () => {
    const { backend, replies } = slowBackend(group);
    const store = createStore(backend);
    let seen: number | undefined;
    const calls = [
      add(store, "a"),
      store.updateSession("s", (session) => {
        seen = session?.revision;
        return [];
      }),
      add(store, "b"),
    ];
    await settle();
    expect(backend.ids("s")).toEqual(["a"]);
    expect(seen).toBeUndefined();
    await replyToAll(replies, calls);
    expect(seen).toBe(1);
    expect(backend.ids("s")).toEqual(["a", "b"]);
  });

  test("calls made before the store is closed are carried out, and later calls are refused", async () => {
    const backend = new MapBackend(undefined, undefined, group);
    const store = createStore(backend);
    const adding = store.addMessage("s", message);
    const closing = store.close();
    await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "STORE_CLOSED" });
    await closing;
    expect(backend.ids("s")).toHaveLength(1);
    expect(await adding).toMatchObject({ revision: 1 });
  });
});

test("a slow commit of one session does not delay other sessions if batches are of one session", async () => {
  const { backend, replies } = slowBackend("session");
  const store = createStore(backend);
  const calls = [add(store, "a", "s1")];
  await settle();
  calls.push(add(store, "b", "s2"));
  await settle();
  expect(backend.ids("s2")).toEqual(["b"]);
  await replyToAll(replies, calls);
});

test("a computed change of one session does not delay other sessions if batches span sessions", async () => {
  const backend = new MapBackend(undefined, undefined, "store");
  const read = backend.read.bind(backend);
  let readOn: () => void = () => undefined;
  backend.read = async (...call) => {
    if (call[0] === "s1") await new Promise<void>((resolve) => (readOn = resolve));
    return read(...call);
  };
  const store = createStore(backend);
  const computed = store.updateSession("s1", () => []);
  await settle();
  await add(store, "b", "s2");
  readOn();
  await computed;
});

test("a SessionError of the backend reaches the caller, and any other error becomes OUTCOME_UNKNOWN", async () => {
  const failures = [SessionError.of("STORE_UNAVAILABLE", "The disk is gone.", {}), new Error("unforeseen")];
  const backend = new MapBackend();
  const commit = backend.commit.bind(backend);
  backend.commit = async (requests) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return commit(requests);
  };
  const store = createStore(backend);
  await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await expect(store.addMessage("s", message)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(await store.addMessage("s", message)).toMatchObject({ revision: 1 });
});

describe("a batch", () => {
  const count = (size: BatchSize, bytes: number): number => {
    const fits = size.begin();
    let taken = 0;
    while (taken < 10_000 && fits(bytes)) taken++;
    return taken;
  };
  const fast = (): BatchSize => {
    const size = new BatchSize();
    for (let batch = 0; batch < 100; batch++) size.observe([{ bytes: 1000 }], 0);
    return size;
  };

  test("has at most 512 requests and 4 MiB, and always at least one request", () => {
    expect(count(fast(), 0)).toBe(512);
    expect(count(fast(), 1024 * 1024)).toBe(3);
    expect(count(fast(), 64 * 1024 * 1024)).toBe(1);
  });

  test("becomes small at once when batches are slow, and larger again when they are fast", () => {
    const size = fast();
    size.observe([{ bytes: 0 }], 5);
    expect(count(size, 0)).toBe(2);
    for (let batch = 0; batch < 50; batch++) size.observe([{ bytes: 0 }], 0.05);
    expect(count(size, 0)).toBeGreaterThan(100);
  });
});
