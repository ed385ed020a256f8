import type { Message, Session, SessionStore } from "@sessions/protocol";
import { OtherProcess, type SharedPlace, sharedKinds, sharedPlace, withTestCleanup } from "test-tools";
import { describe, expect, test, vi } from "vitest";
import { createBotSession } from "../src/index.js";

async function workers(place: SharedPlace, count: number, options: object = {}): Promise<OtherProcess[]> {
  const all = Array.from(
    { length: count },
    () =>
      new OtherProcess(new URL("./worker.mjs", import.meta.url), {
        where: place.where,
        deadlineMs: 50_000,
        ...options,
      }),
  );
  for (const one of all) await one.until((line) => "ready" in line);
  return all;
}

const answered = (worker: OtherProcess): readonly Readonly<Record<string, unknown>>[] =>
  worker.lines.filter((line) => "id" in line);

function update(id: number, text = `u${id}`): string {
  return JSON.stringify({ id, user: 42, text });
}

async function wholeSession(store: SessionStore): Promise<Session | undefined> {
  const bot = createBotSession({ store, platform: "test", scope: "user", respond: () => undefined });
  return store.getSession(await bot.sessionId({ user: 42 }));
}

async function sessionOf(store: SessionStore): Promise<readonly Message[]> {
  return (await wholeSession(store))?.messages ?? [];
}

const contentsOf = (messages: readonly Message[]): readonly unknown[] =>
  messages.map(({ content }) => content);

const TTL_MS = 3000;
/** Tolerances for a slow machine. Both together are less than the default lease. */
const MARGIN_MS = 26_000;

/** Kills a worker during its turn. Returns when. */
async function killedInMidTurn(worker: OtherProcess, store: SessionStore): Promise<number> {
  worker.writeLine(update(1, "hold"));
  await worker.until((line) => "holds" in line);
  await vi.waitFor(async () => expect(await sessionOf(store)).toHaveLength(2), { timeout: 30_000 });
  const killedAt = Date.now();
  await worker.kill();
  return killedAt;
}

describe.each(sharedKinds)("workers on %s", (kind) => {
  test.concurrent(
    "updates of one user on two workers are answered one after the other",
    withTestCleanup(async () => {
      const place = await sharedPlace(kind);
      const [one, two] = await workers(place, 2, { paceMs: 300 });
      one?.writeLine(update(1));
      two?.writeLine(update(2));
      for (const worker of [one, two]) await worker?.until((line) => "id" in line);
      const messages = await sessionOf(await place.open());
      const [first, second] = messages[0]?.content === "u1" ? [1, 2] : [2, 1];
      expect(contentsOf(messages)).toEqual([
        `u${first}`,
        `to u${first} (1)`,
        `u${second}`,
        `to u${second} (3)`,
      ]);
      for (const worker of [one, two]) await worker?.end();
    }),
  );

  test.concurrent(
    "ten concurrent deliveries of one update on three workers lead to one turn and ten equal replies",
    withTestCleanup(async () => {
      const place = await sharedPlace(kind);
      const all = await workers(place, 3, { paceMs: 50 });
      const sent = [4, 3, 3];
      for (const [index, worker] of all.entries())
        for (let n = 0; n < (sent[index] ?? 0); n++) worker.writeLine(update(1));
      for (const [index, worker] of all.entries())
        await worker.until(() => answered(worker).length === sent[index]);
      const replies = all.flatMap(answered);
      expect(replies.map(({ reply }) => reply)).toEqual(Array(10).fill("to u1 (1)"));
      expect(replies.filter(({ duplicate }) => duplicate === false)).toHaveLength(1);
      expect(all.flatMap(({ lines }) => lines.filter((line) => "runs" in line))).toHaveLength(1);
      expect(await sessionOf(await place.open())).toHaveLength(2);
      for (const worker of all) await worker.end();
    }),
  );

  test.concurrent(
    "after a worker is killed during a turn, the next message is answered when the lease expires, and nothing is stored twice",
    withTestCleanup(async () => {
      const place = await sharedPlace(kind);
      const [killed, other] = await workers(place, 2, { ttlMs: TTL_MS, checkpoint: { everyMs: 1 } });
      if (killed === undefined || other === undefined) throw new Error("there are two");
      const store = await place.open();
      const killedAt = await killedInMidTurn(killed, store);
      other.writeLine(update(2));
      expect(await other.until((line) => "id" in line)).toMatchObject({ id: 2, outcome: "answered" });
      const session = await wholeSession(store);
      // When the answer was stored, by the clock of the store.
      const waitedMs = (session?.updatedAt ?? Number.NaN) - killedAt;
      console.log(`${kind}: answered ${waitedMs} ms after the kill, with a lease of ${TTL_MS} ms`);
      expect(waitedMs).toBeLessThan(TTL_MS + MARGIN_MS);
      const cut = session?.messages ?? [];
      expect(cut.map(({ content, status }) => [content, status])).toEqual([
        ["hold", undefined],
        ["to hold", "interrupted"],
        ["u2", undefined],
        ["to u2 (3)", undefined],
      ]);
      // The platform delivers the unanswered update again.
      other.writeLine("go on");
      other.writeLine(update(1, "hold"));
      expect(await other.until((line) => line["id"] === 1)).toMatchObject({ outcome: "answered" });
      expect(contentsOf(await sessionOf(store))).toEqual(["hold", "u2", "to u2 (3)", "to hold (3)"]);
      await other.end();
    }),
  );

  test.concurrent(
    "/new on another worker during a turn resets the conversation, and the turn does not write the old history back",
    withTestCleanup(async () => {
      const place = await sharedPlace(kind);
      const [slow, other] = await workers(place, 2, { checkpoint: { everyMs: 1 } });
      slow?.writeLine(update(1, "hold"));
      await slow?.until((line) => "holds" in line);
      other?.writeLine(update(2, "/new"));
      expect(await other?.until((line) => "id" in line)).toMatchObject({ outcome: "reset" });
      slow?.writeLine("go on");
      expect(await slow?.until((line) => "id" in line)).toMatchObject({ outcome: "superseded" });
      other?.writeLine(update(3));
      expect(await other?.until((line) => line["id"] === 3)).toMatchObject({ reply: "to u3 (1)" });
      expect(contentsOf(await sessionOf(await place.open()))).toEqual(["u3", "to u3 (1)"]);
      for (const worker of [slow, other]) await worker?.end();
    }),
  );
});

test("the next message after a kill waits exactly for the lease, so a longer lease means a longer wait", async () => {
  const place = await sharedPlace();
  const ttlMs = 20 * TTL_MS;
  const [killed, other] = await workers(place, 2, { ttlMs, deadlineMs: TTL_MS, checkpoint: { everyMs: 1 } });
  if (killed === undefined || other === undefined) throw new Error("there are two");
  const store = await place.open();
  await killedInMidTurn(killed, store);
  other.writeLine(update(2));
  expect(await other.until((line) => "id" in line)).toMatchObject({ error: "TURN_BUSY" });
  expect(contentsOf(await sessionOf(store))).not.toContain("to u2 (3)");
  await other.end();
});
