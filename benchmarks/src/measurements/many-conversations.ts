import { join } from "node:path";
import { atLeast, atMost } from "../bar.js";
import { converse, MESSAGES_PER_TURN, TURNS_EACH } from "../conversations.js";
import { ensureEqual } from "../ensure-equal.js";
import { longestBlock } from "../longest-block.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import { startWorker } from "../worker.js";

const FEW = 50;
const MANY = 1000;
/** Few, because a run of many conversations takes seconds and hardly varies. */
const MAX_RUNS = 3;

/** A thousand concurrent conversations must not make a store slower. */
export function manyConversations(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: turns per second in ${MANY} conversations at once ÷ in ${FEW}`,
    unit: "×",
    bar: atLeast(0.8),
    async measure({ runs, folder }) {
      const values: number[] = [];
      let few = 0;
      let many = 0;
      for (let run = -1; run < Math.min(runs, MAX_RUNS); run++) {
        few = await turnsPerSecond(under, join(folder, `few-${run}`), FEW);
        many = await turnsPerSecond(under, join(folder, `many-${run}`), MANY);
        if (run >= 0) values.push(many / few); // the first is the warm-up
      }
      const note = `last: ${few.toFixed(0)} and ${many.toFixed(0)} turns/s, rss ${rssMegabytes()} MB`;
      return { values, note };
    },
  };
}

/** The event loop must not be blocked meanwhile. */
export function blockInManyConversations(under: StoreUnderTest, note?: () => string): Measurement {
  return {
    work: `${under.name}: longest block of the event loop in ${MANY} conversations at once`,
    unit: "ms",
    bar: atMost(50),
    async measure({ runs, folder }) {
      const values: number[] = [];
      for (let run = -1; run < Math.min(runs, MAX_RUNS); run++) {
        await using store = await under.open(join(folder, String(run)));
        const block = await longestBlock(() => converse(store, MANY));
        if (run >= 0) values.push(block);
      }
      return { values, ...(note && { note: note() }) };
    },
  };
}

/** A store must not keep all messages of many conversations in memory. */
export function heldByConversations(under: StoreUnderTest, budgetBytes: number): Measurement {
  return {
    work: `${under.name}: memory held after ${MANY} conversations at once ÷ what its cache may take (${megabytes(budgetBytes)})`,
    unit: "×",
    bar: atMost(1),
    async measure({ folder }) {
      const worker = startWorker("converse", [under.name, folder, String(MANY)], {
        execArgv: ["--expose-gc"],
      });
      try {
        const word = await worker.hear();
        if (!isHeld(word)) throw new Error(`a worker said ${JSON.stringify(word)}`);
        return { values: [word.held / budgetBytes], note: `held ${megabytes(word.held)}` };
      } finally {
        await worker.end();
      }
    },
  };
}

function isHeld(word: unknown): word is { readonly held: number } {
  return typeof word === "object" && word !== null && "held" in word && typeof word.held === "number";
}

/** Runs the same number of conversations, some of them concurrently. */
async function turnsPerSecond(under: StoreUnderTest, folder: string, atOnce: number): Promise<number> {
  await using store = await under.open(folder);
  const start = performance.now();
  for (let group = 0; group < MANY / atOnce; group++) await converse(store, atOnce, `g${group}-`);
  const seconds = (performance.now() - start) / 1000;
  const last = await store.getSession(`g0-${atOnce - 1}`, { messages: "none" });
  ensureEqual("messages of a conversation", last?.messageCount, TURNS_EACH * MESSAGES_PER_TURN);
  return (MANY * TURNS_EACH) / seconds;
}

function rssMegabytes(): string {
  return (process.memoryUsage().rss / 1e6).toFixed(0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
