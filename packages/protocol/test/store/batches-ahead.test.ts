import { setImmediate as nextTask } from "node:timers/promises";
import { expect, test } from "vitest";
import { createStore, type SessionStore } from "../../src/index.js";
import { FoldedBackend } from "./folded-backend.js";

/** A backend that takes the next batch while the disk works; each reply comes when the test lets it. */
function slowDisk(): { readonly backend: FoldedBackend; readonly replies: (() => void)[] } {
  const replies: (() => void)[] = [];
  const after = (what: string): Promise<void> =>
    what === "commit" ? new Promise((resolve) => replies.push(resolve)) : Promise.resolve();
  return { backend: new FoldedBackend({ before: async () => undefined, after, ahead: true }), replies };
}

const add = (store: SessionStore, id: string): Promise<unknown> =>
  store.addMessage("s", { id, role: "user" });

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let task = 0; task < 5; task++) await nextTask();
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

test("a second batch is sent while the first one waits for the disk, and a third one is not", async () => {
  const { backend, replies } = slowDisk();
  const store = createStore(backend);
  const calls: Promise<unknown>[] = [];
  for (const id of ["a", "b", "c", "d"]) {
    calls.push(add(store, id));
    await settle();
  }
  expect(backend.batches).toHaveLength(2);
  expect(backend.ids("s")).toEqual(["a", "b"]);
  await replyToAll(replies, calls);
  expect(backend.ids("s")).toEqual(["a", "b", "c", "d"]);
  expect(backend.batches, "the others had gathered").toHaveLength(3);
});

test("nobody is answered before their own batch is", async () => {
  const { backend, replies } = slowDisk();
  const store = createStore(backend);
  const answered: string[] = [];
  const calls = ["a", "b"].map(async (id) => {
    if (id === "b") await settle();
    await add(store, id);
    answered.push(id);
  });
  await settle();
  await settle();
  expect(backend.ids("s")).toEqual(["a", "b"]);
  expect(answered).toEqual([]);
  replies.shift()?.();
  await settle();
  expect(answered).toEqual(["a"]);
  await replyToAll(replies, calls);
});

test("callers keep their order, however many go together", async () => {
  const { backend, replies } = slowDisk();
  const store = createStore(backend);
  const ids = Array.from({ length: 200 }, (_, index) => `m${index}`);
  await replyToAll(
    replies,
    ids.map((id) => add(store, id)),
  );
  expect(backend.ids("s")).toEqual(ids);
  expect((await store.getSession("s"))?.revision).toBe(200);
});

test("a computed change waits for all that was sent before it", async () => {
  const { backend, replies } = slowDisk();
  const store = createStore(backend);
  const first = add(store, "a");
  await settle();
  let seen: number | undefined;
  const computed = store.updateSession("s", (session) => {
    seen = session?.revision;
    return [];
  });
  await settle();
  expect(seen).toBeUndefined();
  await replyToAll(replies, [first, computed]);
  expect(seen).toBe(1);
});

test("close waits for batches that are ahead", async () => {
  const { backend, replies } = slowDisk();
  const store = createStore(backend);
  const calls = [add(store, "a")];
  await settle();
  calls.push(add(store, "b"));
  await settle();
  let closed = false;
  const closing = store.close().then(() => {
    closed = true;
  });
  replies.shift()?.();
  await settle();
  expect(closed).toBe(false);
  await replyToAll(replies, calls);
  await closing;
  expect(backend.ids("s")).toEqual(["a", "b"]);
});

test("a batch that fails before it is written keeps its place: what comes after it waits", async () => {
  let failures = 1;
  const before = async (what: string): Promise<void> => {
    await nextTask();
    if (what === "commit" && failures-- > 0) throw new Error("no room");
  };
  const backend = new FoldedBackend({ before, after: async () => undefined, ahead: true });
  const store = createStore(backend);
  const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
  await Promise.all(ids.map((id) => add(store, id)));
  expect(backend.ids("s")).toEqual(ids);
});
