import { expect, test } from "vitest";
import { createStore, SessionError } from "../../src/backend.js";
import { MapBackend } from "./map-backend.js";

/** A backend whose first reply to a commit is lost, after the commit was applied. */
function losesFirstReply(): MapBackend {
  let lost = false;
  const after = async (what: string): Promise<void> => {
    if (what !== "commit" || lost) return;
    lost = true;
    throw new Error("connection reset");
  };
  return new MapBackend({ before: async () => undefined, after });
}

test("a lost reply is OUTCOME_UNKNOWN with the commit id, and the same call with that id returns the first result", async () => {
  const store = createStore(losesFirstReply());
  const message = { role: "user", content: "once" };
  const error: unknown = await store.addMessage("s", message).catch((reason: unknown) => reason);
  if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
  const again = await store.addMessage("s", message, { commitId: error.commitId });
  expect(again).toMatchObject({ revision: 1, duplicate: true });
  expect(again.messages).toEqual(await store.getChatHistory("s"));
  expect(again.messages).toHaveLength(1);
});

test("a turn whose begin reply was lost is begun, held and ended by its holder", async () => {
  const store = createStore(losesFirstReply());
  const messages = { role: "user", content: "once" };
  const begun = await store.beginTurn("s", { turnId: "t1", messages, ttlMs: 60_000 });
  if (begun.status !== "begun") throw new Error("it is taken for one that was run before");
  expect(begun.session.messages).toHaveLength(1);
  await begun.turn.complete();
  expect(await store.getSession("s")).toMatchObject({ revision: 2, lastTurn: { outcome: "completed" } });
});

test("a lost reply to a call with a chosen commit id is OUTCOME_UNKNOWN, and the same call returns the first result", async () => {
  const store = createStore(losesFirstReply());
  const send = () => store.incrementCounters("s", { turns: 1 }, { commitId: "c2" });
  await store
    .createSession("s", {}, { commitId: "c1" })
    .catch(() => store.createSession("s", {}, { commitId: "c1" }));
  await send();
  expect(await send()).toMatchObject({ duplicate: true });
  expect((await store.getSession("s"))?.counters).toEqual({ turns: 1 });
});
