import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type { SessionStore } from "@sessions/protocol";
import { expect, test } from "vitest";
import { Attention } from "../src/attention.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

/** A process with a clock of its own, that asks one thing after the other. */
class Process {
  time = 0;
  #isAwaited = false;
  #next: (() => void) | undefined;
  readonly #attention = new Attention(() => this.#isAwaited, {
    now: () => this.time,
    soon: (callback) => {
      this.#next = callback;
    },
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

test("one in fifty that takes long does not matter", () => {
  const process = new Process();
  const isAwake = Array.from({ length: 2000 }, (_, call) => process.askedFor(call % 50 === 0 ? FAR : NEAR));
  expect(isAwake).not.toContain(false);
});

/** For how long the event loop slept, in milliseconds, while one message after the other was added. */
async function asleepDuring(store: SessionStore): Promise<number> {
  const before = performance.eventLoopUtilization();
  for (let call = 0; call < 300; call++) await store.addMessage("s", { role: "user", content: "x" });
  return performance.eventLoopUtilization(before).idle;
}

test("a store stays awake, unless it is told not to or has one processor only", async () => {
  const server = await sharedServer();
  await using attentive = await openedStore(server);
  await using sleepy = await openedStore(server, { attentive: false });
  for (const { store } of [attentive, sleepy]) await asleepDuring(store);
  // Others may want the processors for a while.
  const shares: number[] = [];
  const isRight = (): boolean => shares.some((share) => share < 0.3) === availableParallelism() > 1;
  while (shares.length < 3 || (!isRight() && shares.length < 100))
    shares.push((await asleepDuring(attentive.store)) / (await asleepDuring(sleepy.store)));
  expect(isRight(), `asleep, compared with one that is not attentive: ${shares.join(", ")}`).toBe(true);
});
