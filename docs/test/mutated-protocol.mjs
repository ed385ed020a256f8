/**
 * Adds two messages to a store whose protocol is a copy of ours, in another folder, and prints the revisions:
 * `node mutated-protocol.mjs <store> <folder of the copy>`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , store, copy] = process.argv;
const own = new URL("./", import.meta.resolve("@sessions/protocol")).href;
const hooks = `
  const [own, copy] = ${JSON.stringify([own, pathToFileURL(`${copy}/`).href])};
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    return found.url.startsWith(own) ? { ...found, url: found.url.replace(own, copy) } : found;
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const open = {
  memory: async () => (await import("@sessions/memory")).openMemoryStore(),
  "json-file": async (folder) => (await import("@sessions/json-file")).openJsonFileStore({ root: folder }),
  sqlite: async (folder) =>
    (await import("@sessions/sqlite")).openSqliteStore({ path: join(folder, "sessions.db") }),
}[store];

const folder = mkdtempSync(join(tmpdir(), "mutated-"));
try {
  const opened = await open(folder);
  const revisions = [];
  for (const content of ["a", "b"])
    revisions.push((await opened.addMessage("s", { role: "user", content })).revision);
  await opened.close();
  console.log(JSON.stringify(revisions));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
