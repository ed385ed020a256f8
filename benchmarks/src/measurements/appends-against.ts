import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { alternating, costOf } from "../alternating.js";
import type { Bar } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import type { RawLoop } from "./raw-loop.js";

const RAW_APPENDS = 75;
const APPENDS = 20;
/**
 * Messages before anything is measured: a process that has run for a while has compiled what it does all day. Single
 * messages and batches go different ways, so both are warmed up.
 */
const WARM_UP = 20_000;
const WARM_UP_AS_MEASURED = 6_000;

/** How many callers write to one session at once, each one message after the other. */
export interface Callers {
  readonly callers: number;
  readonly bar: Bar;
}

/** Messages per second of a store, ÷ those of the raw loop. */
export function appendsAgainst(under: StoreUnderTest, loop: RawLoop, { callers, bar }: Callers): Measurement {
  const who = callers === 1 ? "one caller, one message after the other" : `${callers} callers at once`;
  return {
    work: `${under.name}: addMessage by ${who}, throughput ÷ ${loop.name}`,
    unit: "×",
    bar,
    async measure({ runs, folder }) {
      await using raw = await loop.start(join(folder, "raw"), under);
      await using store = await under.open(join(folder, "store"));
      await callTogether(store, "warm-up", 32, WARM_UP / 32);
      await callTogether(store, "warm-up as measured", callers, Math.ceil(WARM_UP_AS_MEASURED / callers));
      const each = callers === 1 ? RAW_APPENDS : APPENDS;
      let written = 0;
      const write = async (): Promise<number> => {
        written += callers * each;
        return callTogether(store, "s", callers, each);
      };
      const rawAppends = costOf(RAW_APPENDS, () => raw.append());
      const perAppend = loop.messagesPerAppend ?? 1;
      const values = await alternating(runs, async () => (await rawAppends()) / perAppend, write);
      const session = await store.getSession("s", { messages: "none" });
      ensureEqual("messages after writing", session?.messageCount, written);
      return { values };
    },
  };
}

/** What one message took, all callers counted. */
async function callTogether(store: SessionStore, id: string, callers: number, each: number): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = 0; index < each; index++) await store.addMessage(id, message(index));
    }),
  );
  return (performance.now() - start) / (callers * each);
}
