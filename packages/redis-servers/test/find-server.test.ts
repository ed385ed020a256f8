import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findServer } from "../src/index.js";

/** A folder with programs of these names. */
async function folderWith(...names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sessions-find-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of names) {
    await writeFile(join(folder, name), "");
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

test("the server is the one that is named, then redis-server on the PATH, then valkey-server", async () => {
  const [valkey, redis] = [await folderWith("valkey-server"), await folderWith("redis-server")];
  expect(findServer({ REDIS_SERVER_BIN: "/opt/mine", PATH: redis })).toBe("/opt/mine");
  expect(findServer({ PATH: `${valkey}:${redis}` })).toBe(join(redis, "redis-server"));
  expect(findServer({ REDIS_SERVER_BIN: "", PATH: `/nowhere:${valkey}` })).toBe(
    join(valkey, "valkey-server"),
  );
});

test("a file that cannot be run is none", async () => {
  const [data, redis] = [await folderWith("redis-server"), await folderWith("redis-server")];
  await chmod(join(data, "redis-server"), 0o644);
  expect(findServer({ PATH: `${data}:${redis}` })).toBe(join(redis, "redis-server"));
});
