import { openStore } from "@sessions/config";
import { startServer } from "redis-servers";
import { afterAll, expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { sessionsJson, temporaryFolder } from "./run-sessions.js";

const server = await startServer();
afterAll(() => server.stop());

/** The keys of the index. */
async function indexKeys(prefix: string): Promise<readonly string[]> {
  const keys = await server.call("KEYS", `${prefix}:{index-*`);
  return (Array.isArray(keys) ? keys.map(String) : []).filter((key) => !key.endsWith(":format"));
}

async function listed(target: string): Promise<number> {
  await using store = await openStore(target);
  let sessions = 0;
  for await (const _ of store.listSessions()) sessions++;
  return sessions;
}

test("doctor on Redis reports nothing on a sound store, names damaged sessions, and rebuilds a lost index", async () => {
  const cwd = await temporaryFolder();
  const target = `${server.url}?prefix=doctor`;
  await using store = await openStore(target);
  await fillCorpus(store, 19);
  await store.createSession("spoilt");
  const doctor = ["doctor", "--store", target];
  const [sound] = await sessionsJson(doctor, { cwd });
  expect(sound).toMatchObject({ sessions: 20, benign: [], damaged: [], rebuilt: [] });

  await server.call("DEL", ...(await indexKeys("doctor")));
  await server.call("HSET", "doctor:{spoilt}:s", "z", "spoilt");
  expect(await listed(target), "the sessions are there, and no list shows them").toBe(0);
  const [looked] = await sessionsJson(doctor, { cwd }, 4);
  expect(looked).toMatchObject({ sessions: 20, damaged: [{ sessionId: "spoilt" }], rebuilt: [] });
  expect(await listed(target), "nothing is changed without --fix").toBe(0);

  const [fixed] = await sessionsJson([...doctor, "--fix", "--yes"], { cwd }, 4);
  expect(fixed).toMatchObject({
    damaged: [{ sessionId: "spoilt", repaired: { status: "left" } }],
    rebuilt: ["The index did not know 19 sessions, and knows them now."],
  });
  expect(await listed(target)).toBe(19);
});
