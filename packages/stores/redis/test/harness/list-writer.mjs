/**
 * A process that makes, changes and deletes sessions until it is told to stop: `node list-writer.mjs <name> <location> <options>`. It tells
 * what was acknowledged: `sealed` sessions, which it never touches again, and those that are `gone`.
 */
import { setTimeout } from "node:timers/promises";
import { openRedisStore } from "@sessions/redis";

const [name, location, options] = process.argv.slice(2);
const store = await openRedisStore(JSON.parse(location), JSON.parse(options));
const LANES = 2;
/** So that the test's own process gets its turn on a machine with few cores. */
const PAUSE_MS = 20;
let stopped = false;
process.on("message", () => {
  stopped = true;
});
// The test is gone: nobody will say that it is enough.
process.on("disconnect", () => process.exit(stopped ? 0 : 1));

const user = (content) => ({ role: "user", content });

async function lane(number) {
  for (let count = 0; !stopped; count++) {
    const id = `${name}-${number}-${count}`;
    const forked = count % 3 === 1;
    if (forked) await store.forkSession("root", { newId: id });
    else await store.createSession(id, { labels: { state: "open" }, messages: [user("hello")] });
    for (let more = count % 4; more > 0; more--) await store.addMessage(id, user(`more ${more}`));
    await store.patchSession(id, { labels: { state: "closed", writer: name } });
    const deleted = count % 7 === 3;
    if (deleted) await store.deleteSession(id);
    await setTimeout(PAUSE_MS);
    process.send({ kind: deleted ? "gone" : "sealed", id, forked, writer: name });
  }
}

process.send({ kind: "ready" });
await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
await store.close();
process.disconnect();
