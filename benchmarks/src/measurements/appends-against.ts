import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { alternatingCosts, costOf } from "../alternating.js";
import type { Bar } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Bench, Measurement } from "../measurement.js";
import { type Clock, cpuMs, elapsedMs } from "../spent.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import type { RawLoop } from "./raw-loop.js";

/** Messages of each caller in a block. The raw loop has as many, so that the cost of alternating is the same share of both. */
const APPENDS = 75;
/**
 * Messages before anything is measured: a process that has run for a while has compiled what it does all day. Single
 * messages and batches go different ways, so both are warmed up.
 */
const WARM_UP = 20_000;
const WARM_UP_AS_MEASURED = 6_000;

/** The number of concurrent callers. Each writes one message after the other. */
export interface Callers {
  readonly callers: number;
  /** Whether the callers share one session, or each has its own. @default "one" */
  readonly sessions?: "one" | "own";
  readonly bar: Bar | undefined;
}

/** Messages per second of a store ÷ those of the raw loop. */
export function appendsAgainst(under: StoreUnderTest, loop: RawLoop, callers: Callers): Measurement {
  return {
    work: `${under.name}: addMessage by ${whoAndWhere(callers)}, throughput ÷ ${loop.name}`,
    unit: "×",
    bar: callers.bar,
    async measure(bench) {
      const { raw, store } = await costsIn(bench, under, loop, callers, elapsedMs);
      return { values: store.map((cost, run) => (raw[run] ?? Number.NaN) / cost) };
    },
  };
}

/** For how long a message keeps this process busy, ÷ the same for the raw loop. */
export function cpuAgainst(under: StoreUnderTest, loop: RawLoop, callers: Callers): Measurement {
  return {
    work: `${under.name}: CPU of our process per addMessage by ${whoAndWhere(callers)} ÷ ${loop.name}`,
    unit: "×",
    bar: callers.bar,
    async measure(bench) {
      const { raw, store } = await costsIn(bench, under, loop, callers, cpuMs);
      const note = `ours ${microseconds(store)} µs, raw ${microseconds(raw)} µs`;
      return { values: store.map((cost, run) => cost / (raw[run] ?? Number.NaN)), note };
    },
  };
}

function whoAndWhere({ callers, sessions }: Callers): string {
  const who = callers === 1 ? "one caller, one message after the other" : `${callers} callers at once`;
  return `${who}${sessions === "own" ? ", each on a session of its own" : ""}`;
}

function microseconds(costs: readonly number[]): number {
  return Math.round(1000 * (costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN));
}

/** What a message cost in each run, of the raw loop and of the store. */
async function costsIn(
  { runs, folder }: Bench,
  under: StoreUnderTest,
  loop: RawLoop,
  { callers, sessions = "one" }: Callers,
  clock: Clock,
): Promise<{ readonly raw: readonly number[]; readonly store: readonly number[] }> {
  const idOf = (id: string, caller: number): string => (sessions === "own" ? `${id}-${caller}` : id);
  await using raw = await loop.start(join(folder, "raw"), under);
  await using store = await under.open(join(folder, "store"));
  await callTogether(store, () => "warm-up", 32, WARM_UP / 32, clock);
  const warm = (caller: number): string => idOf("warm-up as measured", caller);
  await callTogether(store, warm, callers, Math.ceil(WARM_UP_AS_MEASURED / callers), clock);
  let written = 0;
  const write = async (): Promise<number> => {
    written += callers * APPENDS;
    return callTogether(store, (caller) => idOf("s", caller), callers, APPENDS, clock);
  };
  const rawAppends = costOf(APPENDS, () => raw.append(), undefined, clock);
  const perAppend = loop.messagesPerAppend ?? 1;
  const costs = await alternatingCosts(runs, async () => (await rawAppends()) / perAppend, write);
  const ids = new Set(Array.from({ length: callers }, (_, caller) => idOf("s", caller)));
  ensureEqual("messages after writing", await messagesIn(store, ids), written);
  return { raw: costs.map(([one]) => one), store: costs.map(([, other]) => other) };
}

/** The time per message over all callers. */
async function callTogether(
  store: SessionStore,
  idOf: (caller: number) => string,
  callers: number,
  each: number,
  clock: Clock,
): Promise<number> {
  const start = clock();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const id = idOf(caller);
      for (let index = 0; index < each; index++) await store.addMessage(id, message(index));
    }),
  );
  return (clock() - start) / (callers * each);
}

async function messagesIn(store: SessionStore, ids: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (const id of ids) count += (await store.getSession(id, { messages: "none" }))?.messageCount ?? 0;
  return count;
}
