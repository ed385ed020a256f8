import { openMemoryStore } from "@sessions/memory";
import { atMost, type Row } from "./row.js";

const MESSAGES = 2000;

/** What a message costs when many callers write at once, against one after the other. */
export async function concurrentRows(runs: number): Promise<readonly Row[]> {
  const ratios: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const sequential = await cost(oneByOne);
    const concurrent = await cost(allAtOnce);
    if (run > 0) ratios.push(concurrent / sequential); // the first is warm-up
  }
  return [atMost("memory: an addMessage among 2 000 at once ÷ one after the other", ratios, 1.5)];
}

type Write = (add: (index: number) => Promise<unknown>) => Promise<unknown>;

async function cost(write: Write): Promise<number> {
  await using store = openMemoryStore();
  const start = performance.now();
  await write((index) => store.addMessage("s", { role: "user", content: `message ${index}` }));
  const elapsed = performance.now() - start;
  const { messageCount } = (await store.getSession("s", { messages: "none" })) ?? { messageCount: 0 };
  if (messageCount !== MESSAGES) throw new Error(`${messageCount} of ${MESSAGES} messages are there`);
  return elapsed / MESSAGES;
}

async function oneByOne(add: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < MESSAGES; index++) await add(index);
}

function allAtOnce(add: (index: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: MESSAGES }, (_, index) => add(index)));
}
