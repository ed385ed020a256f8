import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAMES = ["redis-server", "valkey-server"];

/** Where `npm test` puts one that the machine does not have. */
const INSTALLED = fileURLToPath(new URL("../../../.tools/redis/redis-server", import.meta.url));

/** The program to start: `REDIS_SERVER_BIN`, one on the PATH, or the one that `npm test` has fetched. */
export function findServer(env: NodeJS.ProcessEnv = process.env): string {
  const named = env["REDIS_SERVER_BIN"];
  if (named) return named;
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...candidates, INSTALLED].find(isExecutable);
  if (found === undefined)
    throw new Error(
      "there is no redis-server: install one, name one in REDIS_SERVER_BIN, or let `npm test` fetch it",
    );
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES"))
      return false;
    throw error;
  }
}
