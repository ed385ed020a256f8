import { closeSync, fdatasync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { growOneByOne } from "../chat.js";
import { sessionBytes } from "../stores/session-bytes.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import type { RawLoop } from "./raw-loop.js";

const sync = promisify(fdatasync);
const SAMPLE = 200;

/** Writes and syncs each line before the next one, without blocking the event loop. */
export const syncLoop: RawLoop = {
  name: "raw writeSync + awaited fdatasync",
  async start(folder, store) {
    mkdirSync(folder, { recursive: true });
    const line = await lineOf(store, join(folder, "sample"));
    const file = openSync(join(folder, "raw.jsonl"), "a");
    return {
      append() {
        writeSync(file, line);
        return sync(file);
      },
      async [Symbol.asyncDispose]() {
        closeSync(file);
      },
    };
  },
};

/** A line as long as those of the store for a message. */
async function lineOf(under: StoreUnderTest, folder: string): Promise<Buffer> {
  await using store = await under.openToPrepare(folder);
  await growOneByOne(store, "sample", SAMPLE);
  const length = Math.round(sessionBytes(folder, "sample") / SAMPLE);
  return Buffer.from(`${"x".repeat(length - 1)}\n`);
}
