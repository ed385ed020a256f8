import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grammyFile, type Keeper } from "peers";
import { expect, onTestFinished, test } from "vitest";
import { atLeast } from "../src/bar.js";
import { conversationsAgainst, lateTurnsAgainst } from "../src/measurements/turns-against.js";
import { ownRelaxedJsonFile } from "../src/peers/own-stores.js";
import type { Pair } from "../src/peers/pairs.js";

const pairOf = (ours: Keeper): Pair => ({ ours, theirs: grammyFile, bar: atLeast(0) });

test("a turn that misses a message gives no figure", async () => {
  for (const against of [conversationsAgainst, lateTurnsAgainst]) {
    const { measure } = against(pairOf(forgetful));
    await expect(measure({ runs: 1, folder: folder() })).rejects.toThrow("messages read");
  }
});

test("the same store without the fault gets a figure", async () => {
  const { measure } = lateTurnsAgainst(pairOf(ownRelaxedJsonFile));
  expect((await measure({ runs: 1, folder: folder() })).values).toHaveLength(1);
});

/** Acknowledges every turn, and keeps every second one. */
const forgetful: Keeper = {
  ...ownRelaxedJsonFile,
  async open(where) {
    const conversations = await ownRelaxedJsonFile.open(where);
    let turns = 0;
    return {
      ...conversations,
      async turn(id, exchange, writes) {
        turns++;
        return turns % 2 === 0
          ? (await conversations.ids(id)).length
          : conversations.turn(id, exchange, writes);
      },
    };
  },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "bench-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}
