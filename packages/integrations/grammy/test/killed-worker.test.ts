import { OtherProcess, sharedKinds, sharedPlace } from "test-tools";
import { expect, test } from "vitest";
import { storage } from "../src/index.js";
import { botInfo, messageUpdate } from "./updates.js";

const program = new URL("./worker.mjs", import.meta.url);

test.each(sharedKinds)(
  "on %s: a worker killed in a handler stores nothing, and the update is handled once when it comes again",
  async (kind) => {
    const place = await sharedPlace(kind);
    const store = await place.open();
    const options = { where: place.where, botInfo, ttlMs: 500 };
    const updates = JSON.stringify([messageUpdate(1, "hi")]);
    const killed = new OtherProcess(program, { ...options, paceMs: 100_000 });
    await killed.until((line) => "ready" in line);
    killed.tell(updates);
    await expect
      .poll(async () => (await store.listSessions()).items.some(({ turn }) => turn !== undefined))
      .toBe(true);
    await killed.kill();
    expect(await storage(store).read("42")).toBeUndefined();

    const next = new OtherProcess(program, { ...options, paceMs: 0 });
    await next.until((line) => "ready" in line);
    for (const handled of [1, 2]) {
      next.tell(updates);
      await next.until(() => next.said.filter((line) => "handled" in line).length === handled);
    }
    await next.end();
    expect(await storage(store).read("42")).toEqual({ updates: [1] });
  },
  60_000,
);
