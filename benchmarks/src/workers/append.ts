/** Appends to a session that others append to: `append <store> <folder> <name> <messages>`. Begins on a word. */
import { message } from "../chat.js";
import { storeNamed } from "../stores/stores.js";
import { live, nextWord, say } from "../worker-life.js";

const WARM_UP = 150;

await live(async () => {
  const [, , store, folder = "", name = "", count = "0"] = process.argv;
  const opened = await storeNamed(store).open(folder);
  const own = `warm-up-${name}`;
  for (let index = 0; index < WARM_UP; index++) await opened.addMessage(own, message(index));
  await opened.getSession("s", { messages: "none" });
  const begin = nextWord();
  say("ready");
  await begin;
  for (let index = 0; index < Number(count); index++) {
    await opened.addMessage("s", { ...message(index), id: `${name}-${index}` });
  }
  say("done");
  await opened.close();
});
