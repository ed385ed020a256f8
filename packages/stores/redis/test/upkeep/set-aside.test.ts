import { expect, test } from "vitest";
import { checkIndex, setDamagedSessionAside } from "../../src/maintenance.js";
import { openRedisStore } from "../../src/open-redis-store.js";
import { sharedServer } from "../servers.js";
import { openedStore } from "../store.js";

const server = await sharedServer();
const { url } = server;
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test("the keys of a damaged session are renamed, no list or index has it, and its id begins again", async () => {
  await using opened = await openedStore(server, { onWarning: () => undefined });
  const { store, keys, client, options } = opened;
  for (const id of ["bad", "good"])
    await store.createSession(id, { messages: [user("1")], labels: { a: "b" } });
  const { record, session } = keys.session("bad");
  const before = await client.hgetall(record);
  await client.set(session, "another program's");
  const names = await setDamagedSessionAside({ url }, { ...options, sessionId: "bad" });
  expect(names).toHaveLength(2);
  expect(await client.hgetall(names[0] ?? ""), "nothing is thrown away").toEqual(before);
  expect(await client.get(names[1] ?? "")).toBe("another program's");
  expect(await checkIndex({ url }, options)).toEqual([]);
  await using other = await openRedisStore({ url }, options);
  expect((await other.listSessions({ labels: { a: "b" } })).items.map(({ id }) => id)).toEqual(["good"]);
  expect(await other.addMessage("bad", user("again"))).toMatchObject({ revision: 1 });
});

test("a sound session is not set aside, nor one that does not exist", async () => {
  await using opened = await openedStore(server, { onWarning: () => undefined });
  const { store, options } = opened;
  await store.createSession("good", { messages: [user("1")] });
  for (const sessionId of ["good", "nobody"])
    await expect(setDamagedSessionAside({ url }, { ...options, sessionId })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  expect(await store.getChatHistory("good")).toHaveLength(1);
});
