/** A process that forgets to close its store: `node forgetful-process.mjs <location as JSON> <what it does at the end>`. */
import { openRedisStore } from "@sessions/redis";

const [location, last] = process.argv.slice(2);
const store = await openRedisStore(JSON.parse(location), { prefix: "forgetful", onWarning: () => undefined });
await store.addMessage("s", { role: "user", content: "hello" });
if (last === "watches") {
  for await (const { revision } of store.watch({ session: "s", since: 0 }))
    console.log(`revision ${revision}`);
}
if (last === "left a watch") {
  for await (const { revision } of store.watch({ session: "s", since: 0 })) {
    console.log(`revision ${revision}`);
    break;
  }
}
if (last === "begins a call") {
  console.log("calls");
  void store.addMessage("s", { role: "user", content: "under way" }).then(() => console.log("done"));
}
if (last === "loses its server") {
  console.log("idle");
  process.stdin.once("data", () => process.stdin.destroy());
}
