import { join } from "node:path";
import { alternating, type Cost } from "../alternating.js";
import { atMost } from "../bar.js";
import { messages } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const MESSAGES = 500;

/** The cost of a message with many concurrent callers ÷ that with one caller. */
export function manyAtOnce(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: an addMessage among ${MESSAGES} at once ÷ one after the other`,
    unit: "×",
    bar: atMost(1.5),
    async measure({ runs, folder }) {
      let sessions = 0;
      const cost =
        (write: Write): Cost =>
        () =>
          costIn(under, join(folder, String(sessions++)), write);
      return { values: await alternating(runs, cost(allAtOnce), cost(oneByOne)) };
    },
  };
}

type Write = (add: (index: number) => Promise<unknown>) => Promise<unknown>;

async function costIn(under: StoreUnderTest, folder: string, write: Write): Promise<number> {
  await using store = await under.open(folder);
  const all = messages(MESSAGES);
  const start = performance.now();
  await write((index) => store.addMessage("s", all.slice(index, index + 1)));
  const elapsed = performance.now() - start;
  const session = await store.getSession("s", { messages: "none" });
  ensureEqual("messages after writing", session?.messageCount, MESSAGES);
  return elapsed / MESSAGES;
}

async function oneByOne(add: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < MESSAGES; index++) await add(index);
}

function allAtOnce(add: (index: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: MESSAGES }, (_, index) => add(index)));
}
