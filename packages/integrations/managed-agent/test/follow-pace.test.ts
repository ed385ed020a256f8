import { openMemoryStore } from "@sessions/memory";
import { ManualClock } from "test-tools";
import { expect, test } from "vitest";
import { type FollowEvent, followTurn } from "../src/index.js";
import { agentWith } from "./agent-with.js";

/** Long enough for a follower of a memory store to get what is stored. */
async function anyFollowerHasLooked(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
}

test("a follower gets the text of one checkpoint at a time", async () => {
  const told: string[] = [];
  const { agent, store } = await agentWith({
    checkpoint: { everyChars: 8, everyMs: 3_600_000 },
    runner: async function* () {
      await expect.poll(() => told).toEqual(["turn-began"]);
      yield { type: "text-delta", text: "one " };
      await anyFollowerHasLooked();
      yield { type: "text-delta", text: "two " };
      await expect.poll(() => told).toContain("one two ");
      yield { type: "text-delta", text: "six " };
      await anyFollowerHasLooked();
      yield { type: "text-delta", text: "seven" };
      await expect.poll(() => told).toContain("six seven");
    },
  });
  const running = agent.execute("Count.");
  await expect.poll(async () => (await store.getSession("s"))?.turn).toBeDefined();
  for await (const event of followTurn(store, "s"))
    told.push(event.type === "text-delta" ? event.text : event.type);
  expect(told).toEqual(["turn-began", "one two ", "six seven", "turn-ended"]);
  await running;
});

test("a follower gets the end of a dead producer's turn as soon as the lease expires", async () => {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  await store.beginTurn("s", { turnId: "t1", ttlMs: 5000, renew: false });
  const told: FollowEvent[] = [];
  const following = (async () => {
    for await (const event of followTurn(store, "s", { clock })) told.push(event);
  })();
  await expect.poll(() => clock.waits).toContain(5001);
  expect(told).toEqual([{ type: "turn-began", turnId: "t1" }]);
  clock.pass(5001);
  await following;
  expect(told.at(-1)).toEqual({ type: "turn-ended", turnId: "t1", outcome: "cut-off" });
});
