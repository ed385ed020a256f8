import { SessionError } from "@sessions/protocol";
import type { Bot } from "grammy";
import {
  FAULT_CODES,
  failingStore,
  Gate,
  hostileFunctions,
  memoryPlace,
  refuseUnhandledRejections,
  type StoreFault,
  withTestCleanup,
} from "test-tools";
import { describe, expect, test } from "vitest";
import { storage } from "../src/index.js";
import { type Data, noting, type OwnContext, textsIn, thrownIn } from "./noting-bot.js";
import { messageUpdate } from "./updates.js";

refuseUnhandledRejections();

async function handled(bot: Bot<OwnContext>, id: number, text: string): Promise<void> {
  await bot.handleUpdate(messageUpdate(id, text));
}

test("what a handler starts and does not await cannot write once its turn has ended", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  let late: Promise<unknown> = Promise.resolve();
  const bot = noting(store, (text) => {
    if (text !== "first") return;
    const write = async (): Promise<void> => {
      await gate.passed;
      await storage<Data>(store).write("42", { texts: ["late"] });
    };
    late = write().catch((error: unknown) => error);
  });
  await bot.handleUpdate(messageUpdate(1, "first"));
  gate.open();
  expect(SessionError.is(await late, "INVALID_ARGUMENT")).toBe(true);
  expect(await textsIn(store)).toEqual(["first"]);
});

test("updates that a handler starts and does not await are handled one at a time once its turn has ended", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  let running = 0;
  let most = 0;
  let started: Promise<unknown> = Promise.resolve();
  const bot = noting(store, async (text) => {
    if (text === "first") {
      const start = async (): Promise<void> => {
        await gate.passed;
        await Promise.all([2, 3, 4, 5].map((id) => bot.handleUpdate(messageUpdate(id, `text ${id}`))));
      };
      started = start();
      return;
    }
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  await bot.handleUpdate(messageUpdate(1, "first"));
  gate.open();
  await started;
  expect(most).toBe(1);
  expect(await textsIn(store)).toHaveLength(5);
});

test("a handler that is past its deadline ends its turn: TURN_LOST, and what it writes later is refused", async () => {
  const store = await memoryPlace().open();
  const gate = new Gate();
  let late: unknown;
  const bot = noting(
    store,
    async (text) => {
      if (text !== "slow") return;
      await gate.passed;
      const write = async (): Promise<void> => storage<Data>(store).write("42", { texts: ["late"] });
      late = await write().catch((error: unknown) => error);
    },
    { deadlineMs: 1000 },
  );
  const error = await thrownIn(handled(bot, 1, "slow"));
  expect(error).toMatchObject({ code: "TURN_LOST", reason: "expired" });
  await bot.handleUpdate(messageUpdate(2, "next"));
  gate.open();
  await expect.poll(() => SessionError.is(late, "INVALID_ARGUMENT")).toBe(true);
  expect(await textsIn(store)).toEqual(["next"]);
});

const places: readonly string[] = ["handler", "key", "onDuplicate", "importFrom"];

describe.concurrent.each(places)("%s", (place) => {
  test.for(hostileFunctions())(
    "that $how: the turn ends in time, and the next update is handled",
    withTestCleanup(async (hostile) => {
      const store = await memoryPlace().open();
      let calls = 0;
      const once = <Value>(sound: Value): Value => (++calls === 1 ? (hostile.call() as Value) : sound);
      const bot = noting(store, () => (place === "handler" ? once(undefined) : undefined), {
        deadlineMs: hostile.hangs ? 3000 : 30_000,
        ...(place === "key" ? { key: () => once("42") } : {}),
        ...(place === "onDuplicate" ? { onDuplicate: () => once(undefined) } : {}),
        ...(place === "importFrom" ? { importFrom: { read: () => once(undefined) } } : {}),
      });
      const first = (): Promise<unknown> => handled(bot, 1, "a").catch(() => "failed");
      await first();
      expect((await store.getSession("grammy/42"))?.turn).toBeUndefined();
      await first();
      expect((await store.getSession("grammy/42"))?.turn).toBeUndefined();
      await bot.handleUpdate(messageUpdate(2, "b"));
      expect((await textsIn(store))?.slice(-2)).toEqual(["a", "b"]);
      expect((await textsIn(store))?.filter((text) => text === "a")).toHaveLength(1);
    }),
  );
});

test("any one fault of the store: delivered again, an update has been handled once, and no turn is left", async () => {
  const delivered = async (fault?: StoreFault): Promise<number> => {
    const { store, sound, calls } = failingStore(fault);
    const bot = noting(store, undefined, { ttlMs: 2000 });
    await handled(bot, 1, "a").catch(() => undefined);
    await expect
      .poll(
        async () =>
          handled(bot, 1, "a").then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
    expect(await textsIn(sound)).toEqual(["a"]);
    expect((await sound.getSession("grammy/42"))?.turn).toBeUndefined();
    await noting(sound).handleUpdate(messageUpdate(2, "b"));
    expect(await textsIn(sound)).toEqual(["a", "b"]);
    return calls.length;
  };
  const length = await delivered();
  const faults = Array.from({ length }, (_, call) => call).flatMap((call) =>
    FAULT_CODES.flatMap((code) => (["before", "after"] as const).map((when) => ({ call, when, code }))),
  );
  console.log(`${faults.length} combinations of one fault and one delivery`);
  const failures: string[] = [];
  await Promise.all(
    faults.map((fault) =>
      delivered(fault).catch((error: unknown) => failures.push(`${JSON.stringify(fault)}: ${String(error)}`)),
    ),
  );
  expect(failures).toEqual([]);
}, 60_000);
