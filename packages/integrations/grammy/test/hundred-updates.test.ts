import { FileAdapter } from "@grammyjs/storage-file";
import { RedisAdapter } from "@grammyjs/storage-redis";
import { Redis } from "ioredis";
import { startServer } from "redis-servers";
import { OtherProcess, type SharedPlace, sharedKinds, sharedPlace, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import { storage } from "../src/index.js";
import { botInfo, messageUpdate } from "./updates.js";

const WORKERS = 4;
const EACH = 25;

/** Sends a hundred updates of one user at once, a quarter to each of four processes. Returns how many they report as handled. */
async function hundredUpdates({ where }: Pick<SharedPlace, "where">, options: object = {}): Promise<number> {
  const argument = { where, botInfo, paceMs: 5, ...options };
  const workers = Array.from(
    { length: WORKERS },
    () => new OtherProcess(new URL("./worker.mjs", import.meta.url), argument),
  );
  for (const worker of workers) await worker.until((line) => "ready" in line);
  for (const [index, worker] of workers.entries()) {
    const ids = Array.from({ length: EACH }, (_, n) => 100 * index + n);
    worker.writeLine(JSON.stringify(ids.map((id) => messageUpdate(id, "hi"))));
  }
  let handled = 0;
  for (const worker of workers) {
    handled += Number((await worker.until((said) => "handled" in said))["handled"]);
    await worker.end();
  }
  return handled;
}

interface Data {
  readonly updates: readonly number[];
}

test.each(sharedKinds)(
  "on %s: 100 turns in one order, none lost, none doubled",
  async (kind) => {
    const place = await sharedPlace(kind);
    expect(await hundredUpdates(place)).toBe(WORKERS * EACH);
    const { updates = [] } = (await storage<Data>(await place.open()).read("42")) ?? {};
    expect(updates).toHaveLength(WORKERS * EACH);
    expect(new Set(updates).size).toBe(WORKERS * EACH);
    for (let worker = 0; worker < WORKERS; worker++) {
      const own = updates.filter((id) => Math.floor(id / 100) === worker);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  },
  120_000,
);

test("in comparison, grammY's own file storage loses handled updates without an error", async () => {
  const root = await temporaryFolder();
  const handled = await hundredUpdates({ where: { kind: "json-file", root } }, { own: true });
  const files = new FileAdapter<Data>({ dirName: root });
  const kept = await files.read("42").then(
    (data) => data?.updates.length ?? 0,
    () => 0, // two of them wrote at once: no session can be read any more
  );
  console.log(`grammY's file storage: ${handled} handled, ${kept} of them kept`);
  expect(kept).toBeLessThan(handled);
});

test("in comparison, grammY's own redis storage loses handled updates without an error", async () => {
  await using server = await startServer();
  const { url } = server;
  const handled = await hundredUpdates({ where: { kind: "redis", url, prefix: "" } }, { own: true });
  const instance = new Redis(url);
  const { updates = [] } = (await new RedisAdapter<Data>({ instance }).read("42")) ?? {};
  instance.disconnect();
  console.log(`grammY's redis storage: ${handled} handled, ${updates.length} of them kept`);
  expect(handled).toBe(WORKERS * EACH);
  expect(updates.length).toBeLessThan(WORKERS * EACH);
});
