import type { Conversations, Writes } from "peers";
import { alternating, type Cost } from "../alternating.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import { chatMessages, exchangeAfter } from "../peers/exchanges.js";
import type { Pair } from "../peers/pairs.js";
import { openPlace } from "../peers/place.js";
import { cpuMs, elapsedMs } from "../spent.js";

/** Of a whole conversation. */
const TURNS = 50;
/** In each repetition, one after the other: one may take a hundredth of a second, and says little. */
const CONVERSATIONS = 5;
/** Of a long one, in a block. */
const LATE_TURNS = 5;
const LONG = 1000;
/** Conversations before anything is measured: a process that has run for a while has compiled what it does all day. */
const WARM_UP = 40;

/** Conversations from their first turn on: turns per second, ours ÷ theirs. */
export function conversationsAgainst(pair: Pair): Measurement {
  const bar = pair.conversationBar ?? pair.bar;
  return turnsAgainst({ ...pair, bar }, `a conversation of ${TURNS} turns`, (conversations, spent) => {
    let count = 0;
    return async () => {
      let cost = 0;
      for (const end = count + CONVERSATIONS; count < end; count++)
        cost += await takeTurns(conversations, pair.theirs.writes, `c${count}`, 0, TURNS, spent);
      return cost / CONVERSATIONS;
    };
  });
}

/** The same in a long conversation. */
export function lateTurnsAgainst(pair: Pair): Measurement {
  return turnsAgainst(pair, `a turn after ${LONG} messages`, async (conversations, spent) => {
    await conversations.add("long", chatMessages(LONG));
    let length = LONG;
    return async () => {
      const cost = await takeTurns(conversations, pair.theirs.writes, "long", length, LATE_TURNS, spent);
      length += 2 * LATE_TURNS;
      return cost;
    };
  });
}

/** CPU time of this process in the turns that were measured. */
class SpentCpu {
  #ms = 0;
  #turns = 0;

  add(ms: number, turns: number): void {
    this.#ms += ms;
    this.#turns += turns;
  }

  get perTurn(): string {
    return `${(this.#ms / this.#turns).toFixed(2)} ms`;
  }
}

type CostIn = (conversations: Conversations, spent: SpentCpu) => Cost | Promise<Cost>;

function turnsAgainst(pair: Pair, work: string, costIn: CostIn): Measurement {
  return {
    work: `peers: ${work}, throughput of ${pair.ours.name} ÷ ${pair.theirs.name}`,
    unit: "×",
    bar: pair.bar,
    async measure({ runs, folder }) {
      await using place = await openPlace(pair, folder);
      await using ours = await pair.ours.open(place.ours);
      await using theirs = await pair.theirs.open(place.theirs);
      for (const conversations of [ours, theirs]) await warmUp(conversations, pair.theirs.writes);
      const [cpuOfOurs, cpuOfTheirs] = [new SpentCpu(), new SpentCpu()];
      const costOfTheirs = await costIn(theirs, cpuOfTheirs);
      const values = await alternating(runs, costOfTheirs, await costIn(ours, cpuOfOurs));
      return {
        values,
        note: `CPU per turn: ours ${cpuOfOurs.perTurn}, theirs ${cpuOfTheirs.perTurn}`,
      };
    },
  };
}

async function warmUp(conversations: Conversations, writes: Writes): Promise<void> {
  const spent = new SpentCpu();
  for (let count = 0; count < WARM_UP; count++)
    await takeTurns(conversations, writes, `warm-up-${count}`, 0, TURNS, spent);
}

/** The time of a turn. Each turn must read everything that earlier ones have written. */
async function takeTurns(
  conversations: Conversations,
  writes: Writes,
  id: string,
  length: number,
  turns: number,
  spent: SpentCpu,
): Promise<number> {
  const exchanges = Array.from({ length: turns }, (_, turn) => exchangeAfter(length + 2 * turn));
  const [start, busy] = [elapsedMs(), cpuMs()];
  for (const [turn, exchange] of exchanges.entries())
    ensureEqual("messages read", await conversations.turn(id, exchange, writes), length + 2 * turn);
  spent.add(cpuMs() - busy, turns);
  return (elapsedMs() - start) / turns;
}
