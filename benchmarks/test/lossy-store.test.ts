import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { expect, onTestFinished, test } from "vitest";
import { atLeast } from "../src/bar.js";
import { appendsAgainst } from "../src/measurements/appends-against.js";
import { manyAtOnce } from "../src/measurements/many-at-once.js";
import type { RawLoop } from "../src/measurements/raw-loop.js";
import { memory } from "../src/stores/memory.js";
import type { StoreUnderTest } from "../src/stores/store-under-test.js";

const idle: RawLoop = {
  name: "nothing",
  start: async () => ({ append: async () => undefined, [Symbol.asyncDispose]: async () => undefined }),
};

const measurementsOf = (store: StoreUnderTest) => [
  appendsAgainst(store, idle, { callers: 1, bar: atLeast(0) }),
  appendsAgainst(store, idle, { callers: 32, bar: atLeast(0) }),
  manyAtOnce(store),
];

test("a store that is fast because it loses messages gets no figure", async () => {
  for (const { measure } of measurementsOf(lossy)) {
    await expect(measure({ runs: 1, folder: folder() })).rejects.toThrow("messages after writing");
  }
});

test("the same store without the fault gets a figure", async () => {
  for (const { measure } of measurementsOf(memory)) {
    expect((await measure({ runs: 1, folder: folder() })).values).toHaveLength(1);
  }
});

/** Acknowledges every message, and forgets every tenth. */
const lossy: StoreUnderTest = {
  ...memory,
  async open(path) {
    const store = await memory.open(path);
    let calls = 0;
    const addMessage: SessionStore["addMessage"] = async (...call) => {
      calls++;
      return calls % 10 === 0
        ? { revision: calls, duplicate: false, messages: [] }
        : store.addMessage(...call);
    };
    return new Proxy(store, {
      get(target, name) {
        if (name === "addMessage") return addMessage;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "bench-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}
