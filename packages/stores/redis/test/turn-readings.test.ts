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
  // A watcher may read the session when it is written.
  const [first] = commands.filter(([name]) => name === "evalsha");
  expect(first).toEqual(expect.arrayContaining(["Tt", "m0"]));
  expect(await store.beginTurn("s", { turnId: "t" })).toMatchObject({ status: "duplicate" });
});
