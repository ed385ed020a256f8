import { expect, test } from "vitest";
import { extend } from "../src/index.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

test("an extension of a draft sends what it adds, however long the draft is", async () => {
  await using opened = await openedStore(server);
  const { store, client } = opened;
  const content = "x".repeat(1_000_000);
  await store.addMessage("s", { id: "d", role: "assistant", content, status: "partial" });
  const bytes = async (): Promise<number> => {
    const stats = await client.info("stats");
    return [...stats.matchAll(/^total_net_(?:in|out)put_bytes:(\d+)/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };
  const before = await bytes();
  for (let n = 0; n < 20; n++) await store.commit("s", extend("d", { text: "a few words " }));
  const sent = (await bytes()) - before;
  expect(sent).toBeLessThan(100_000);
  expect((await store.getChatHistory("s"))[0]?.content).toBe(content + "a few words ".repeat(20));
});
