import { expect, test } from "vitest";
import { append } from "../src/index.js";
import { commandsDuring } from "./commands-during.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

test("the end of a turn is decided without a reading: what it takes for granted is compared when it is written", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  const begun = await store.beginTurn("s", { turnId: "t" });
  if (begun.status !== "begun") throw new Error("the turn has not begun");
  const answer = { id: "answer", role: "assistant", content: "x" };
  const commands = await commandsDuring(server, opened, () => begun.turn.complete([append(answer)]));
  // What writes the session is sent before anything reads it. A watcher reads the feed.
  const ofTheSession = commands.filter(
    ([name, , , key]) => name === "evalsha" && key === opened.keys.session("s").record,
  );
  expect(ofTheSession[0]).toEqual(expect.arrayContaining(["m0", "answer"]));
  expect(await store.beginTurn("s", { turnId: "t" })).toMatchObject({ status: "duplicate" });
});
