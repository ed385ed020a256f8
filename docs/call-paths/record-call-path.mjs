/**
 * Records which files and functions of this repository one `addMessage` runs, on a store that is open and has the session in
 * memory: `node record-call-path.mjs sqlite`. Prints `[{ file, functions }]` as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const openers = {
  "json-file": async (folder) => (await import("@sessions/json-file")).openJsonFileStore({ root: folder }),
  memory: async () => (await import("@sessions/memory")).openMemoryStore(),
  sqlite: async (folder) =>
    (await import("@sessions/sqlite")).openSqliteStore({ path: join(folder, "sessions.db") }),
};

const folder = mkdtempSync(join(tmpdir(), "call-path-"));
try {
  const store = await openers[process.argv[2]](folder);
  const add = () => store.addMessage("s", { role: "user", content: "hello" });
  for (let times = 0; times < 3; times++) await add();
  const calls = await recorded(add);
  await store.close();
  console.log(JSON.stringify(calls));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function recorded(work) {
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await inspector.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  inspector.disconnect();
  return result.flatMap(({ url, functions }) => {
    const [, owner, path] = /\/packages\/(.+)\/dist\/(.+)\.js$/.exec(url) ?? [];
    const called = functions.filter(({ ranges }) => ranges[0].count > 0).length;
    return owner === undefined || called === 0 ? [] : [{ file: `${owner}/${path}`, functions: called }];
  });
}
