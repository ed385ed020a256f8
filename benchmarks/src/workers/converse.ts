/** Holds many conversations at once in a fresh process, and says what the store keeps of them in memory: `converse <store> <folder> <conversations>`. */
import { converse } from "../conversations.js";
import { heldNow } from "../held-now.js";
import { storeNamed } from "../stores/stores.js";
import { live, say } from "../worker-life.js";

await live(async () => {
  const [, , store, folder = "", conversations = ""] = process.argv;
  const opened = await storeNamed(store).open(folder);
  await converse(opened, 1); // what is compiled and kept for one conversation is no cost of many
  const held = heldNow();
  await converse(opened, Number(conversations));
  say({ held: heldNow() - held });
  await opened.close();
});
