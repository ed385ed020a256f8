import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "redis-servers";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Exchange,
  grammyFile,
  grammyRedis,
  keyvRedis,
  langChainRedis,
  langGraphSqlite,
  type Peer,
} from "../src/index.js";

const peers = [langGraphSqlite, langChainRedis, grammyFile, grammyRedis, keyvRedis];

/** A comparison with a library that is used wrongly would say nothing. */
describe.each(peers.map((peer) => [peer.name, peer] as const))("%s", (_, peer) => {
  test("says which version it is", () => {
    expect(peer.name).toMatch(/ \d+\.\d+\.\d+$/);
  });

  test("keeps what one caller writes, in order, for whoever opens it", async () => {
    const where = await placeFor(peer);
    {
      await using writer = await peer.open(where);
      for (const turn of [0, 1, 2])
        expect(await writer.turn("c", exchange(turn), peer.writes)).toBe(2 * turn);
      await writer.add("c", [exchange(3).question]);
      await writer.add("d", [exchange(0).question, exchange(0).answer]);
    }
    await using reader = await peer.open(where);
    expect(await reader.ids("c")).toEqual(["q0", "a0", "q1", "a1", "q2", "a2", "q3"]);
    expect(await reader.ids("d")).toEqual(["q0", "a0"]);
    expect(await reader.ids("e")).toEqual([]);
  });
});

function exchange(turn: number): Exchange {
  return {
    question: { id: `q${turn}`, role: "user", content: `question ${turn}` },
    answer: { id: `a${turn}`, role: "assistant", content: `answer ${turn}` },
  };
}

async function placeFor({ engine }: Peer): Promise<string> {
  if (engine === "redis") {
    const server = await startServer();
    onTestFinished(() => server.stop());
    return server.url;
  }
  const folder = mkdtempSync(join(tmpdir(), "peers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
