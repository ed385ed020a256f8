import type { Measurement } from "../measurement.js";
import type { Pair } from "../peers/pairs.js";
import { openPlace } from "../peers/place.js";
import { inAll, measuredOf, type Tallies, type Tally } from "../peers/tally.js";
import { Team } from "../peers/team.js";

const PROCESSES = 4;
const TURNS_EACH = 50;
const ALL_TURNS = PROCESSES * TURNS_EACH;
/** In each repetition, one after the other: one takes some hundredths of a second, and says little. */
const CONVERSATIONS = 5;
/** So long they do it before: a process that has run for a while has compiled what it does all day. */
const WARM_UP_MS = 5000;

/** Several processes take turns in one conversation: messages kept per second, ours ÷ theirs, and the number of lost ones. */
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
      for (const team of [ours, theirs]) await warmUp(team);
      const tallies: Tallies[] = [];
      for (let run = 0; run < runs; run++)
        tallies.push({ ours: await conversations(ours, run), theirs: await conversations(theirs, run) });
      return measuredOf(2 * ALL_TURNS * CONVERSATIONS, tallies);
    },
  };
}

async function warmUp(team: Team): Promise<void> {
  const begun = performance.now();
  for (let round = 0; performance.now() - begun < WARM_UP_MS; round++) await team.take(`warm-up-${round}`);
}

async function conversations(team: Team, run: number): Promise<Tally> {
  const tallies: Tally[] = [];
  for (let count = 0; count < CONVERSATIONS; count++) tallies.push(await team.take(`c${run}-${count}`));
  return inAll(tallies);
}
