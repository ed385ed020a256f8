import { join } from "node:path";
import { atLeast } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import { startWorker, type Worker } from "../worker.js";

const PROCESSES = 4;
const EACH = 300;

/** The throughput of several processes on one session ÷ that of one process. */
export function processesOnOneSession(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: ${PROCESSES} processes on one session, total throughput ÷ one process`,
    unit: "×",
    bar: atLeast(0.7),
    async measure({ runs, folder }) {
      const values: number[] = [];
      for (let run = -1; run < Math.min(runs, 5); run++) {
        const alone = await throughput(under, join(folder, `${run}-alone`), 1);
        const together = await throughput(under, join(folder, `${run}-together`), PROCESSES);
        if (run >= 0) values.push(together / alone); // the first is warm-up
      }
      return { values };
    },
  };
}

/** Messages per ms, from the start signal until the last process is done. */
async function throughput(under: StoreUnderTest, folder: string, processes: number): Promise<number> {
  await using store = await under.open(folder);
  await store.addMessage("s", { ...message(0), id: "first" });
  const names = Array.from({ length: processes }, (_, index) => `w${index}`);
  const workers = names.map((name) => startWorker("append", [under.name, folder, name, String(EACH)]));
  try {
    const elapsed = await race(workers);
    const { messages = [] } = (await store.getSession("s")) ?? {};
    checkEachOnce(messages, names);
    return (processes * EACH) / elapsed;
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function race(workers: readonly Worker[]): Promise<number> {
  await Promise.all(workers.map((worker) => worker.hear()));
  const done = Promise.all(workers.map((worker) => worker.hear()));
  const start = performance.now();
  for (const worker of workers) worker.tell("begin");
  await done;
  return performance.now() - start;
}

/** Checks that every message is stored once: all are there, and there are no more. */
function checkEachOnce(found: readonly { readonly id: string }[], names: readonly string[]): void {
  const ids = new Set(found.map(({ id }) => id));
  ensureEqual("messages of all processes", found.length, names.length * EACH + 1);
  ensureEqual("different messages of all processes", ids.size, found.length);
  for (const name of names) {
    for (let index = 0; index < EACH; index++)
      ensureEqual("a message is there", ids.has(`${name}-${index}`), true);
  }
}
