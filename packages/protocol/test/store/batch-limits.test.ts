import { describe, expect, test } from "vitest";
import { append, createStore, type MessageInput, type SessionStore } from "../../src/backend.js";
import { CommitGroup, type WaitingCommit } from "../../src/queue/commit-group.js";
import { MapBackend } from "./map-backend.js";

const MIB = 2 ** 20;

const large: MessageInput = { id: "large", role: "user", content: "x".repeat(MIB) };

/** Ways to commit a large message to a session that has another one. */
const ways: Record<string, (store: SessionStore, id: string) => Promise<unknown>> = {
  addMessage: (store, id) => store.addMessage(id, large),
  createSession: (store, id) => store.createSession(`new-${id}`, { messages: [large] }),
  setChatHistory: (store, id) => store.setChatHistory(id, [large]),
  updateSession: (store, id) => store.updateSession(id, () => append(large)),
  updateSessionMetadata: (store, id) =>
    store.updateSessionMetadata(id, { large: Array.from({ length: 15 }, () => "x".repeat(MIB / 16)) }),
  forkSession: async (store, id) => {
    await store.addMessage(id, large);
    return store.forkSession(id, { newId: `fork-${id}` });
  },
};

describe("a batch has at most about 4 MiB", () => {
  test.each(Object.entries(ways))("of calls of %s", async (_name, commit) => {
    const backend = new MapBackend(undefined, undefined, "store");
    const sizes: number[] = [];
    const send = backend.commit.bind(backend);
    backend.commit = (requests) => {
      sizes.push(JSON.stringify(requests).length);
      return send(requests);
    };
    const store = createStore(backend);
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => store.addMessage(id, { role: "user", content: "hello" })));
    await Promise.all(ids.map((id) => commit(store, id)));
    expect(Math.max(...sizes)).toBeGreaterThan(MIB / 2);
    expect(Math.max(...sizes)).toBeLessThan(4.1 * MIB);
  });
});

test("more requests can wait than a function can have arguments", () => {
  const group = new CommitGroup();
  const [resolve, reject] = [() => undefined, () => undefined];
  for (let n = 0; n < 300_000; n++) {
    const request = { sessionId: "s", id: `c${n}`, at: 0, ops: [] };
    group.push({
      kind: "request",
      sessionId: "s",
      request,
      bytes: 0,
      isOfPlan: false,
      resolve,
      reject,
    } satisfies WaitingCommit);
  }
  let fitting = 512;
  expect(group.take(() => fitting-- > 0).requests).toHaveLength(512);
  expect(group.take(() => true).requests).toHaveLength(300_000 - 512);
});
