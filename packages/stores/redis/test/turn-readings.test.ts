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
  const scripts = commands.filter(([name]) => name === "evalsha");
  // Watchers read too, but nothing of a turn or a message.
  const ofTheTurn = scripts.filter((args) => args.includes("Tt") || args.includes("ianswer"));
  expect(ofTheTurn).toHaveLength(1);
  expect(ofTheTurn[0]).toEqual(expect.arrayContaining(["Tt", "ianswer", "live"]));
  expect(await store.beginTurn("s", { turnId: "t" })).toMatchObject({ status: "duplicate" });
});
