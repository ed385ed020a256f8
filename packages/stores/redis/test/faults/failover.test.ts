import { SessionError } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { type ReplicatedServers, startReplicated } from "redis-servers";
import { describe, expect, test } from "vitest";
import { Ledger } from "./ledger.js";
import { Load } from "./load.js";

const SESSIONS = ["a", "b"];

function place(servers: ReplicatedServers): Parameters<typeof openRedisStore>[0] {
  const sentinels = servers.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
  return { sentinels, name: servers.name };
}

/** The replica stands still, and nothing waits for it on its connection. */
async function cutOff({ primary, replica }: ReplicatedServers): Promise<void> {
  replica.pause();
  await primary.call("CLIENT", "KILL", "TYPE", "replica");
}

describe("a primary that is killed -9 under load, with Sentinels", () => {
  test("is followed by its replica, which has all that was acknowledged with replicas: 1", async () => {
    await using servers = await startReplicated();
    await using one = await openRedisStore(place(servers), { replicas: 1, deadlineMs: 4000 });
    await using other = await openRedisStore(place(servers), { replicas: 1, deadlineMs: 4000 });
    const ledger = new Ledger();
    const load = new Load([one, other], SESSIONS, ledger);
    await load.more(100);
    await servers.primary.kill();
    await servers.promoted();
    // The promoted one stands alone: there is nobody who could confirm until the other is back, as its replica.
    await servers.primary.restart();
    await servers.primary.call("REPLICAOF", "127.0.0.1", servers.replica.port);
    await load.more(100);
    await load.stop();
    const findings = await ledger.findings(one);
    console.log(
      `acknowledged ${ledger.acknowledged}, lost ${findings.length}, errors ${JSON.stringify([...ledger.errors])}`,
    );
    expect(findings).toEqual([]);
  });

  test("whose replica had fallen behind loses what only it had, and that is told as DATA_LOST", async () => {
    await using servers = await startReplicated();
    await using store = await openRedisStore(place(servers), { deadlineMs: 4000 });
    const ledger = new Ledger();
    await ledger.send(store, "a");
    expect(await servers.primary.call("WAIT", 1, 10_000)).toBe(1);
    await cutOff(servers);
    for (let sent = 0; sent < 10; sent++) await ledger.send(store, "a");
    await servers.primary.kill();
    servers.replica.resume();
    await servers.promoted();
    await expect
      .poll(
        () =>
          store.getSession("a").then(
            () => "",
            (error) => (SessionError.is(error) ? error.code : String(error)),
          ),
        { timeout: 30_000 },
      )
      .toBe("DATA_LOST");
    await using fresh = await openRedisStore(place(servers));
    expect((await ledger.findings(fresh)).length).toBe(10);
  });

  test("whose replica had fallen behind acknowledges nothing with replicas: 1, also not the second time", async () => {
    await using servers = await startReplicated();
    await using store = await openRedisStore(place(servers), { replicas: 1, deadlineMs: 500 });
    await using other = await openRedisStore(place(servers), { replicas: 1, deadlineMs: 500 });
    const message = { role: "user", content: "hello" };
    await store.addMessage("a", message);
    await cutOff(servers);
    for (const one of [store, store, other]) {
      const error = await one.addMessage("a", message, { commitId: "c" }).catch((reason: unknown) => reason);
      expect(SessionError.is(error, "OUTCOME_UNKNOWN") && error.commitId).toBe("c");
    }
    servers.replica.resume();
    await expect
      .poll(() => store.addMessage("a", message, { commitId: "c" }).catch(() => undefined), {
        timeout: 30_000,
      })
      .toMatchObject({ duplicate: true });
    await servers.primary.kill();
    await servers.promoted();
    await expect
      .poll(() => other.getChatHistory("a").then((found) => found.length, String), { timeout: 30_000 })
      .toBe(2);
  });
});

test("while replicas are waited for in vain, others are answered", async () => {
  await using servers = await startReplicated();
  await using store = await openRedisStore(place(servers), { replicas: 1, deadlineMs: 3000 });
  const message = { role: "user", content: "hello" };
  await store.addMessage("a", message);
  servers.replica.pause(); // still connected, and confirms nothing
  let isWaiting = true;
  const waiting = Promise.allSettled(["a", "b", "c", "d"].map((id) => store.addMessage(id, message))).finally(
    () => {
      isWaiting = false;
    },
  );
  const reads: number[] = [];
  while (isWaiting) reads.push((await store.getChatHistory("a")).length);
  expect(reads.length).toBeGreaterThan(3);
  const outcomes = await waiting;
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "OUTCOME_UNKNOWN" } });
  const cause = { message: "0 of 1 replicas have confirmed it in time" };
  expect(outcomes).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ cause: expect.objectContaining(cause) }) }),
  );
});
