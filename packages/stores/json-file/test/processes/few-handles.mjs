import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { openJsonFileStore } from "@sessions/json-file";

/** Works on more sessions at once than the process may have files open, and tells what came of each call. */
const { root, sessions } = JSON.parse(process.argv[2]);
// Not before the start: Node opens more files than that to load the modules.
execFileSync("prlimit", ["--pid", `${process.pid}`, "--nofile=64:64"]);
const store = await openJsonFileStore({ root });
const ids = Array.from({ length: sessions }, (_, n) => `s${n}`);
const failures = {};
const settled = async (calls) => {
  for (const one of await Promise.allSettled(calls)) {
    if (one.status === "fulfilled") continue;
    const told = `${one.reason.code} ${one.reason.cause?.code ?? ""}`;
    failures[told] = (failures[told] ?? 0) + 1;
  }
};
const all = (call) => settled(ids.map(call));
const say = (id) => store.addMessage(id, { role: "user", content: id });
await all(say); // makes them
// Opens them; as soon as one is done, and others are under way, the program itself takes every handle that is left.
const calls = ids.map(say);
await Promise.race(calls);
const taken = [];
try {
  for (;;) taken.push(openSync("/dev/null"));
} catch (error) {
  if (error.code !== "EMFILE") throw error;
}
await settled(calls);
for (const file of taken) closeSync(file);
await all((id) => store.getSession(id));
await store.close();

const again = await openJsonFileStore({ root });
await all((id) => again.addMessage(id, { role: "user", content: "x".repeat(70_000) })); // by the lock
await all((id) => again.verify(id));
const listed = (await again.listSessions({ limit: 1000 })).items.filter(
  ({ messageCount }) => messageCount === 3,
);
await again.close();
process.stdout.write(`${JSON.stringify({ failures, listed: listed.length })}\n`);
