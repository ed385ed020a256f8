/** Adds to a conversation that others add to: `add <keeper> <where> <id> <name> <messages>`. Begins on a word. */
import type { Added } from "../peers/added.js";
import { chatMessage } from "../peers/exchanges.js";
import { keeperNamed } from "../peers/pairs.js";
import { live, nextWord, say } from "../worker-life.js";

const WARM_UP = 50;

await live(async () => {
  const [, , keeper, where = "", id = "", name = "", count = "0"] = process.argv;
  await using conversations = await keeperNamed(keeper).open(where);
  for (let index = 0; index < WARM_UP; index++)
    await conversations.add(`warm-up-${id}-${name}`, [chatMessage(`m${index}`, index)]);
  const begin = nextWord();
  say("ready");
  await begin;
  const acknowledged: string[] = [];
  const failures: string[] = [];
  for (let index = 0; index < Number(count); index++) {
    const message = chatMessage(`${name}-${index}`, index);
    await conversations.add(id, [message]).then(
      () => acknowledged.push(message.id),
      (error) => failures.push(String(error)),
    );
  }
  say({ acknowledged, failures } satisfies Added);
});
