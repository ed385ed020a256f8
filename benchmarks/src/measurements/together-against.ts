import type { Keeper, Writes } from "peers";
import type { Measurement } from "../measurement.js";
import { type Added, isAdded } from "../peers/added.js";
import type { Pair } from "../peers/pairs.js";
import { openPlace } from "../peers/place.js";
import { measuredOf, type Tallies, type Tally } from "../peers/tally.js";
import { startWorker, type Worker } from "../worker.js";

const PROCESSES = 4;
const TURNS_EACH = 50;
const ALL_TURNS = PROCESSES * TURNS_EACH;

/** Several processes take turns in one conversation: messages kept per second, ours ÷ theirs, and how many were lost. */
export function togetherAgainst(pair: Pair): Measurement {
  return {
    work: `peers: ${ALL_TURNS} turns of ${PROCESSES} processes at once, messages kept per second of ${pair.ours.name} ÷ ${pair.theirs.name}`,
    unit: "×",
    bar: pair.bar,
    async measure({ runs, folder }) {
      await using place = await openPlace(pair, folder);
      const tallies: Tallies[] = [];
      for (let run = 0; run < Math.min(runs, 3); run++) {
        const { writes } = pair.theirs;
        const ours = await together(pair.ours, place.ours, `c${run}`, writes);
        const theirs = await together(pair.theirs, place.theirs, `c${run}`, writes);
        tallies.push({ ours, theirs });
      }
      return measuredOf(2 * ALL_TURNS, tallies);
    },
  };
}

/** From the word to begin until the last one is done. */
async function together(keeper: Keeper, where: string, id: string, writes: Writes): Promise<Tally> {
  const names = Array.from({ length: PROCESSES }, (_, index) => `w${index}`);
  const workers = names.map((name) =>
    startWorker("take-turns", [keeper.name, where, id, name, writes, String(TURNS_EACH)]),
  );
  try {
    await Promise.all(workers.map((worker) => worker.hear()));
    const start = performance.now();
    const added = await Promise.all(workers.map(addedBy));
    const elapsed = performance.now() - start;
    const acknowledged = added.flatMap((each) => each.acknowledged);
    const failures = added.flatMap((each) => each.failures);
    const kept = await keptOf(keeper, where, id, acknowledged);
    return { elapsed, acknowledged: acknowledged.length, failures, kept };
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function addedBy(worker: Worker): Promise<Added> {
  const done = worker.hear();
  worker.tell("begin");
  const word = await done;
  if (!isAdded(word)) throw new Error("a worker said something else than what it has added");
  return word;
}

/** How many of them a reader is shown. "unreadable": what is stored is no conversation any more. */
async function keptOf(
  keeper: Keeper,
  where: string,
  id: string,
  acknowledged: readonly string[],
): Promise<Tally["kept"]> {
  await using conversations = await keeper.open(where);
  try {
    const ids = new Set(await conversations.ids(id));
    return acknowledged.filter((each) => ids.has(each)).length;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error; // two wrote one file at once, and it is no JSON any more
    return "unreadable";
  }
}
