import { expect, onTestFinished, test } from "vitest";
import { openMemoryStore } from "../src/index.js";

const CALLS = 10_000;

test("10 000 addMessage calls at once are 10 000 commits: every message once, one order, revision 10 000", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));

  await using store = openMemoryStore();
  const calls = Array.from({ length: CALLS }, (_, index) =>
    store.addMessage("hot", { id: `m${index}`, role: "user", content: `message ${index}` }),
  );
  const results = await Promise.all(calls);

  // Group commit shares the work of a batch, never the revision: each call is a commit of its own, in call order.
  expect(results.map((result) => result.revision)).toEqual(
    Array.from({ length: CALLS }, (_, index) => index + 1),
  );
  const session = await store.getSession("hot");
  expect(session?.revision).toBe(CALLS);
  expect(session?.messages.map((message) => message.id)).toEqual(
    Array.from({ length: CALLS }, (_, index) => `m${index}`),
  );
  expect(unhandled).toEqual([]);
});

test("of 2 000 calls at once, those that are refused fail alone, and nobody's rejection goes unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));

  await using store = openMemoryStore();
  await store.addMessage("hot", { id: "taken", role: "user", content: "first" });
  const calls = Array.from({ length: 2000 }, (_, index) => {
    const message =
      index % 4 === 0
        ? { id: "taken", role: "user", content: `other ${index}` }
        : { id: `m${index}`, role: "user" };
    return store.addMessage("hot", message);
  });
  const settled = await Promise.allSettled(calls);
  expect(settled.filter((call) => call.status === "rejected")).toHaveLength(500);
  expect((await store.getSession("hot", { messages: "none" }))?.revision).toBe(1501);
  expect(unhandled).toEqual([]);
});
