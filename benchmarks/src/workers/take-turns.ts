/** Takes turns in a conversation that others take turns in: `take-turns <keeper> <where> <id> <name> <writes> <turns>`. Begins on a word. */
import type { Writes } from "peers";
import type { Added } from "../peers/added.js";
import { exchangeOf } from "../peers/exchanges.js";
import { keeperNamed } from "../peers/pairs.js";
import { live, nextWord, say } from "../worker-life.js";

/** Turns before anything is measured, in conversations of so many: whoever takes part has run for a while. */
const WARM_UP = 500;
const WARM_UP_EACH = 50;

await live(async () => {
  const [, , keeper, where = "", id = "", name = "", given, turns = "0"] = process.argv;
  const writes: Writes = given === "each turn" ? given : "each message";
  await using conversations = await keeperNamed(keeper).open(where);
  for (let turn = 0; turn < WARM_UP; turn++) {
    const warmUp = `warm-up-${id}-${name}-${Math.floor(turn / WARM_UP_EACH)}`;
    await conversations.turn(warmUp, exchangeOf("m", turn), writes);
  }
  const begin = nextWord();
  say("ready");
  await begin;
  const acknowledged: string[] = [];
  const failures: string[] = [];
  for (let turn = 0; turn < Number(turns); turn++) {
    const exchange = exchangeOf(name, turn);
    await conversations.turn(id, exchange, writes).then(
      () => acknowledged.push(exchange.question.id, exchange.answer.id),
      (error) => failures.push(String(error), String(error)),
    );
  }
  say({ acknowledged, failures } satisfies Added);
});
