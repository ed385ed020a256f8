import { atMost } from "../bar.js";
import { growInBatches, growOneByOne } from "../chat.js";
import type { Bench, Measurement } from "../measurement.js";
import type { Measured } from "../row.js";
import { sessionBytes } from "../stores/session-bytes.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import { startWorker } from "../worker.js";

const LENGTH = 100_000;
/** How a session was written: in a few large commits, or in one for each message. */
type Writing = "1 000 at a time" | "one by one";

const grow = { "1 000 at a time": growInBatches, "one by one": growOneByOne } as const;

/** The memory of a new process after it has read the end of a long session ÷ the size of the session's files. */
export function heldToReadTail(under: StoreUnderTest, written: Writing): Measurement {
  return {
    work: `${under.name}: memory held after reading the last 20 of 100 000 messages written ${written} ÷ file size`,
    unit: "×",
    bar: atMost(3),
    measure: (bench) => measure(under, written, bench),
  };
}

async function measure(under: StoreUnderTest, written: Writing, { runs, folder }: Bench): Promise<Measured> {
  await prepare(under, written, folder);
  const bytes = sessionBytes(folder, "s");
  const uses: MemoryUse[] = [];
  for (let run = 0; run < Math.min(runs, 3); run++) uses.push(await useOf(under, folder));
  const peak = Math.max(...uses.map((use) => use.peak));
  const note = `file ${megabytes(bytes)}, rss grew by up to ${megabytes(peak)} (${(peak / bytes).toFixed(1)}×)`;
  return { values: uses.map(({ held }) => held / bytes), note };
}

async function prepare(under: StoreUnderTest, written: Writing, folder: string): Promise<void> {
  await using store = await under.openToPrepare(folder);
  await grow[written](store, "s", LENGTH);
}

/** In bytes. */
interface MemoryUse {
  readonly held: number;
  readonly peak: number;
}

async function useOf(under: StoreUnderTest, folder: string): Promise<MemoryUse> {
  const worker = startWorker("read-tail", [under.name, folder], { execArgv: ["--expose-gc"] });
  try {
    const word = await worker.hear();
    if (isMemoryUse(word)) return word;
    throw new Error(`a worker said ${JSON.stringify(word)}`);
  } finally {
    await worker.end();
  }
}

function isMemoryUse(word: unknown): word is MemoryUse {
  if (typeof word !== "object" || word === null || !("held" in word) || !("peak" in word)) return false;
  return typeof word.held === "number" && typeof word.peak === "number";
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
