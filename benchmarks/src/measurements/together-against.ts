import type { Measurement } from "../measurement.js";
import type { Pair } from "../peers/pairs.js";
import { openPlace } from "../peers/place.js";
import { measuredOf, type Tallies } from "../peers/tally.js";
import { Team } from "../peers/team.js";

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
      const { writes } = pair.theirs;
      const task = { writes, turns: TURNS_EACH };
      await using ours = await Team.start(PROCESSES, { ...task, keeper: pair.ours, where: place.ours });
      await using theirs = await Team.start(PROCESSES, { ...task, keeper: pair.theirs, where: place.theirs });
      const tallies: Tallies[] = [];
      for (let run = 0; run < runs; run++)
        tallies.push({ ours: await ours.take(`c${run}`), theirs: await theirs.take(`c${run}`) });
      return measuredOf(2 * ALL_TURNS, tallies);
    },
  };
}
