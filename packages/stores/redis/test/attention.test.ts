import { availableParallelism } from "node:os";
import { expect, test, vi } from "vitest";
import { Attention } from "../src/attention.js";
import type { RedisStoreOptions } from "../src/options.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

/** A process with a clock of its own, that asks one thing after the other. */
class Process {
  time = 0;
  isCrowded = false;
  #isAwaited = false;
  #next: (() => void) | undefined;
  readonly #attention = new Attention(() => this.#isAwaited, {
    now: () => this.time,
    soon: (callback) => {
      this.#next = callback;
    },
    isCrowded: () => this.isCrowded,
  });

  get isAwake(): boolean {
    return this.#next !== undefined;
  }

  ask(): void {
    this.#isAwaited = true;
    this.#attention.stay();
  }

  /** The event loop goes round: `isHere` says whether the answer has come in the meantime. */
  turn(ms: number, isHere = false): void {
    this.time += ms;
    if (isHere) this.#isAwaited = false;
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }

  /** Asks, and has the answer so much later, in turns of a hundredth of a millisecond. Returns whether it was awake at first. */
  askedFor(ms: number): boolean {
    this.ask();
    const wasAwake = this.isAwake;
    for (const end = this.time + ms; this.time < end && this.isAwake; ) this.turn(0.01);
    this.turn(0.01, true);
    return wasAwake;
  }
}

const NEAR = 0.1;
const FAR = 3;

test("it stays awake until the answer is here", () => {
  const process = new Process();
  process.ask();
  for (let turn = 0; turn < 10; turn++) {
    process.turn(0.01);
    expect(process.isAwake).toBe(true);
  }
  process.turn(0.01, true);
  expect(process.isAwake).toBe(false);
});

test("it stays awake for a millisecond at most", () => {
  const process = new Process();
  process.ask();
  process.turn(0.999);
  expect(process.isAwake).toBe(true);
  process.turn(0.002);
  expect(process.isAwake).toBe(false);
});

test("one call after the other, it is awake all the time, each with a millisecond of its own", () => {
  const process = new Process();
  for (let call = 0; call < 2000; call++) {
    process.ask();
    process.turn(0.9);
    expect(process.isAwake).toBe(true);
  }
});

test("answers that take longer are slept through, and it is tried again ever more seldom", () => {
  const process = new Process();
  const isAwake = Array.from({ length: 50_000 }, () => process.askedFor(FAR));
  expect(isAwake.indexOf(false)).toBe(8);
  const tries = isAwake.flatMap((wasAwake, call) => (wasAwake && isAwake[call - 1] !== true ? [call] : []));
  const between = tries.slice(1).map((call, index) => call - (tries[index] ?? 0));
  expect(between.map((calls) => Math.round(calls / 100))).toEqual([
    1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64,
  ]);
});

test("a server that has come nearer is noticed", () => {
  const process = new Process();
  for (let call = 0; call < 100; call++) process.askedFor(FAR);
  const isAwake = Array.from({ length: 2000 }, () => process.askedFor(NEAR));
  expect(isAwake.slice(200)).not.toContain(false);
});

test("where others want the processor, it sleeps", () => {
  const process = new Process();
  const isAwake = Array.from({ length: 20_000 }, (_, call) => {
    if (call % 12 > 0) return process.askedFor(NEAR);
    process.ask();
    const wasAwake = process.isAwake;
    process.turn(3, true); // another process ran, and when it was done the answer was there
    return wasAwake;
  });
  expect(isAwake.filter(Boolean).length).toBeLessThan(1500);
});

test("on a crowded machine it sleeps, though its own answers come at once", () => {
  const process = new Process();
  process.isCrowded = true;
  const isAwake = Array.from({ length: 20_000 }, () => process.askedFor(NEAR));
  expect(isAwake.filter(Boolean).length).toBeLessThan(500);
  process.isCrowded = false;
  for (let call = 0; call < 6400; call++) process.askedFor(NEAR);
  expect(process.askedFor(NEAR)).toBe(true);
});

test("a machine that is crowded for a moment now and then does not matter", () => {
  const process = new Process();
  const isAwake = Array.from({ length: 2000 }, (_, call) => {
    process.isCrowded = call % 160 < 32;
    return process.askedFor(NEAR);
  });
  expect(isAwake).not.toContain(false);
});

test("one in fifty that takes long does not matter", () => {
  const process = new Process();
  const isAwake = Array.from({ length: 2000 }, (_, call) => process.askedFor(call % 50 === 0 ? FAR : NEAR));
  expect(isAwake).not.toContain(false);
});

/** Few enough that nobody has given up staying awake yet. */
const FIRST_CALLS = 6;

/** How often the event loop of a new store was kept turning while one message after the other was added. */
async function turnsDuring(options: RedisStoreOptions): Promise<number> {
  await using opened = await openedStore(await sharedServer(), options);
  const { store } = opened;
  const message = { role: "user", content: "x" };
  await store.addMessage("s", message);
  const turns = vi.spyOn(globalThis, "setImmediate");
  try {
    for (let call = 0; call < FIRST_CALLS; call++) await store.addMessage("s", message);
    return turns.mock.calls.length;
  } finally {
    turns.mockRestore();
  }
}

test("a store stays awake, unless it is told not to or has one processor only", async () => {
  const isSingle = availableParallelism() === 1;
  const turns = await turnsDuring({});
  expect(turns >= FIRST_CALLS, `it was kept turning ${turns} times`).toBe(!isSingle);
  expect(await turnsDuring({ attentive: false })).toBe(0);
});
