/** Takes turns in conversations that others take turns in: `take-turns <keeper> <where> <name> <writes> <turns>`. Is told which, one after the other. */
import type { Conversations, Writes } from "peers";
import type { Added } from "../peers/added.js";
import { exchangeOf } from "../peers/exchanges.js";
import { keeperNamed } from "../peers/pairs.js";
import { cpuMs } from "../spent.js";
import { live, nextWord, say } from "../worker-life.js";

await live(async () => {
  const [, , keeper, where = "", name = "", given, turns = "0"] = process.argv;
  const writes: Writes = given === "each turn" ? given : "each message";
  await using conversations = await keeperNamed(keeper).open(where);
  for (let word: unknown = "ready"; ; ) {
    const next = nextWord();
    say(word);
    word = await takeTurns(conversations, String(await next), name, writes, Number(turns));
  }
});

async function takeTurns(
  conversations: Conversations,
  id: string,
  name: string,
  writes: Writes,
  turns: number,
): Promise<Added> {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  const busy = cpuMs();
  for (let turn = 0; turn < turns; turn++) {
    const exchange = exchangeOf(name, turn);
    await conversations.turn(id, exchange, writes).then(
      () => acknowledged.push(exchange.question.id, exchange.answer.id),
      (error) => failures.push(String(error), String(error)),
    );
  }
  return { acknowledged, failures, cpuMs: cpuMs() - busy };
}
