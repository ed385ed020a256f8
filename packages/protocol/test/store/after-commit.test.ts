import { expect, test } from "vitest";
import { createStore, SessionError, type SessionStore } from "../../src/backend.js";
import { MapBackend } from "./map-backend.js";

/** A store whose reads and lists can be made to fail after the next commit that changes session "s". */
function unreadable(): { readonly store: SessionStore; fail(isFailing: boolean): void } {
  let failsAfter: number | undefined;
  const revision = (): number => backend.states.get("s")?.revision ?? 0;
  const before = async (what: string): Promise<void> => {
    if (failsAfter !== undefined && revision() > failsAfter && what !== "commit")
      throw SessionError.of("STORE_UNAVAILABLE", "The disk cannot be read.", {});
  };
  const backend = new MapBackend({ before, after: async () => undefined });
  return {
    store: createStore(backend),
    fail(isFailing) {
      failsAfter = isFailing ? revision() : undefined;
    },
  };
}

const user = (id: string): { id: string; role: string; content: string } => ({
  id,
  role: "user",
  content: id,
});

async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "no error",
    (error: unknown) => error,
  );
}

test("a created archive that cannot be read is OUTCOME_UNKNOWN, and the repeated call returns it", async () => {
  const { store, fail } = unreadable();
  await store.addMessage("s", [user("1"), user("2"), user("3")]);
  fail(true);
  const archive = () => store.archiveMessages("s", { keepRecent: 1 }, { commitId: "c1" });
  expect(await refusal(archive())).toMatchObject({ code: "OUTCOME_UNKNOWN", commitId: "c1" });
  fail(false);
  expect(await archive()).toMatchObject({ messageCount: 2 });
  expect(await store.listArchives("s")).toHaveLength(1);
});

test("a begun turn whose session cannot be read is OUTCOME_UNKNOWN, and the turn may begin again", async () => {
  const { store, fail } = unreadable();
  await store.createSession("s");
  fail(true);
  const begin = () => store.beginTurn("s", { turnId: "t1", messages: { role: "user", content: "once" } });
  expect(await refusal(begin())).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  fail(false);
  expect(await begin()).toMatchObject({ status: "begun", session: { messageCount: 1 } });
});

test("a deleted session whose forks cannot be listed is OUTCOME_UNKNOWN", async () => {
  const { store, fail } = unreadable();
  await store.addMessage("s", user("1"));
  await store.forkSession("s", { newId: "fork" });
  fail(true);
  const removed = store.deleteSession("s", { cascade: true, commitId: "c1" });
  expect(await refusal(removed)).toMatchObject({ code: "OUTCOME_UNKNOWN", commitId: "c1" });
  fail(false);
  expect(await store.sessionExists("s")).toBe(false);
});
