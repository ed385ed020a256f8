import type { CommitOutcome, CommitRequest, Operation, SessionBackend } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { openRedisBackend } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

/** An append under a generated id, as it is sent again by whoever did not hear the answer. */
function appended(id: string): CommitRequest {
  const op: Operation = {
    op: "append",
    messages: [{ id: `m-${id}`, role: "user", content: id }],
    onExisting: "fail",
  };
  return { sessionId: "s", id, at: Date.now(), ops: [op] };
}

async function sent(backend: SessionBackend, request: CommitRequest): Promise<CommitOutcome | undefined> {
  return (await backend.commit([request]))[0];
}

const again = (id: string): CommitRequest => ({ ...appended(id), ageMs: 1 });

test("a commit with a generated id counts once, whatever became of its session meanwhile", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  const backend = await openRedisBackend({ url: server.url }, options);
  await store.addMessage("s", { role: "user", content: "first" });
  await backend.read("s", { messages: "none" });
  const ids = ["a", "b", "c", "d"];
  for (const id of ids) expect(await sent(backend, appended(id))).toMatchObject({ status: "applied" });
  const expectKnown = async (): Promise<void> => {
    for (const [index, id] of ids.entries())
      expect(await sent(backend, again(id))).toMatchObject({ status: "duplicate", revision: index + 2 });
  };
  await expectKnown();
  await store.patchSession("s", { expiresAt: Date.now() + 3_600_000 });
  await expectKnown();
  ids.push("e");
  expect(await sent(backend, appended("e"))).toMatchObject({ status: "applied", revision: 7 });
  ids.pop();
  await store.patchSession("s", { expiresAt: null });
  expect(await sent(backend, appended("f"))).toMatchObject({ status: "applied", revision: 9 });
  for (const [id, revision] of [
    ["e", 7],
    ["f", 9],
  ] as const)
    expect(await sent(backend, again(id))).toMatchObject({ status: "duplicate", revision });
  await store.deleteSession("s");
  await expectKnown();
  for (const [id, revision] of [
    ["e", 7],
    ["f", 9],
  ] as const)
    expect(await sent(backend, again(id))).toMatchObject({ status: "duplicate", revision });
  await store.addMessage("s", { role: "user", content: "a new life" });
  await expectKnown();
  expect((await store.getSession("s"))?.messages).toHaveLength(1);
  await backend.close();
});

test("what a session that has expired remembered is known after its end", async () => {
  await using opened = await openedStore(server);
  const { store, options, client, keys } = opened;
  const backend = await openRedisBackend({ url: server.url }, options);
  await store.addMessage("s", { role: "user", content: "first" });
  await backend.read("s", { messages: "none" });
  await sent(backend, appended("a"));
  await store.patchSession("s", { expiresAt: Date.now() + 300 });
  await sent(backend, appended("b"));
  await expect.poll(() => client.exists(keys.session("s").session)).toBe(0);
  for (const [id, revision] of [
    ["a", 2],
    ["b", 4],
  ] as const)
    expect(await sent(backend, again(id))).toMatchObject({ status: "duplicate", revision });
  expect(await store.sessionExists("s")).toBe(false);
  await backend.close();
});
