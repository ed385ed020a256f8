import { describe, expect, test } from "vitest";
import type { SessionStore } from "../../src/api/session-store.js";
import type { SessionBackend } from "../../src/backend/session-backend.js";
import { LoopShare } from "../../src/platform/loop-share.js";
import { createStoreWithShare } from "../../src/store/create-store.js";
import { MapBackend } from "./map-backend.js";

const COMMIT_MS = 0.5;
const READ_MS = 0.2;
const CALLER_MS = 0.1;

/** A process whose time advances only with work, so that every machine measures the same gaps. */
function processWith(afterOtherEvents: (callback: () => void) => void, groupCommit: "session" | "store") {
  let time = 0;
  const work = (ms: number): void => {
    time += ms;
  };
  const now = (): number => time;
  const share = new LoopShare({ shareMs: 10, now, afterOtherEvents });
  const map = new MapBackend(undefined, undefined, groupCommit);
  const backend: SessionBackend = Object.assign(map, {
    commit: working(map.commit.bind(map), ([requests]) => work(COMMIT_MS * requests.length)),
    read: working(map.read.bind(map), () => work(READ_MS)),
  });
  return { store: createStoreWithShare(share, backend), work, now };
}

function working<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  work: (args: Args) => void,
): (...args: Args) => Result {
  return (...args) => {
    work(args);
    return call(...args);
  };
}

async function converse(store: SessionStore, id: string, work: (ms: number) => void): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await store.addMessage(id, { role: "user", content: "?" });
    work(CALLER_MS);
    await store.getChatHistory(id, { limit: 10 });
    work(CALLER_MS);
    await store.addMessage(id, { role: "assistant", content: "!" });
    work(CALLER_MS);
  }
}

/** The longest time without another event of the process. */
async function longestGap(
  afterOtherEvents: (callback: () => void) => void,
  groupCommit: "session" | "store",
): Promise<number> {
  const { store, work, now } = processWith(afterOtherEvents, groupCommit);
  let last = 0;
  let longest = 0;
  const look = (): void => {
    longest = Math.max(longest, now() - last);
    last = now();
  };
  const eachTurn = (): void => {
    look();
    turn = setImmediate(eachTurn);
  };
  let turn = setImmediate(eachTurn);
  const ids = Array.from({ length: 400 }, (_, index) => `c${index}`);
  await Promise.all(ids.map((id) => converse(store, id, work)));
  look();
  clearImmediate(turn);
  for (const id of ids) expect(await store.getChatHistory(id)).toHaveLength(6);
  return longest;
}

describe.each(["session", "store"] as const)("400 conversations at once, with batches of one %s", (group) => {
  test("yield the event loop every 20 ms", async () => {
    expect(await longestGap((callback) => void setImmediate(callback), group)).toBeLessThanOrEqual(20);
  });

  test("block the event loop if the store yields to promises only", async () => {
    expect(await longestGap(queueMicrotask, group)).toBeGreaterThan(50);
  });
});
