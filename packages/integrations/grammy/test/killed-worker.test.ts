import { OtherProcess, sharedKinds, sharedPlace, withTestCleanup } from "test-tools";
import { expect, test, vi } from "vitest";
import { storage } from "../src/index.js";
import { botInfo, messageUpdate } from "./updates.js";

const program = new URL("./worker.mjs", import.meta.url);

test.concurrent.for(sharedKinds)(
  "on %s: a worker killed in a handler stores nothing, and the update is handled once when it comes again",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const store = await place.open();
    const options = { where: place.where, botInfo, ttlMs: 500 };
    const updates = JSON.stringify([messageUpdate(1, "hi")]);
    const killed = new OtherProcess(program, { ...options, paceMs: 100_000 });
    await killed.until((line) => "ready" in line);
    killed.writeLine(updates);
    const hasTurn = async (): Promise<boolean> =>
      (await store.listSessions()).items.some(({ turn }) => turn !== undefined);
    await vi.waitFor(async () => expect(await hasTurn()).toBe(true), { timeout: 30_000 });
    await killed.kill();
    expect(await storage(store).read("42")).toBeUndefined();

    const next = new OtherProcess(program, { ...options, paceMs: 0 });
    await next.until((line) => "ready" in line);
    for (const handled of [1, 2]) {
      next.writeLine(updates);
      await next.until(() => next.lines.filter((line) => "handled" in line).length === handled);
    }
    await next.end();
    expect(await storage(store).read("42")).toEqual({ updates: [1] });
  }),
);

test.concurrent.for(sharedKinds)(
  "on %s: a worker that is paused for longer than ttlMs loses the turn to the next update, and its own update changes nothing",
  withTestCleanup(async (kind) => {
    const place = await sharedPlace(kind);
    const options = { where: place.where, botInfo, paceMs: 0, ttlMs: 500 };
    const [still, next] = [new OtherProcess(program, options), new OtherProcess(program, options)];
    for (const worker of [still, next]) await worker.until((line) => "ready" in line);
    still.writeLine(JSON.stringify([messageUpdate(1, "hold")]));
    await still.until((line) => "holds" in line);
    process.kill(Number(still.pid), "SIGSTOP");
    next.writeLine(JSON.stringify([messageUpdate(2, "next")]));
    expect(await next.until((line) => "handled" in line)).toMatchObject({ handled: 1 });
    process.kill(Number(still.pid), "SIGCONT");
    still.writeLine("go on");
    const { failures } = await still.until((line) => "handled" in line);
    expect(failures).toEqual(["TURN_LOST"]);
    expect(await storage(await place.open()).read("42")).toEqual({ updates: [2] });
    for (const worker of [still, next]) await worker.end();
  }),
);
