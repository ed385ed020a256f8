import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import {
  memoryPlace,
  OtherProcess,
  type SharedPlace,
  sharedKinds,
  sharedPlace,
  temporaryFolder,
  withTestCleanup,
} from "test-tools";
import { describe, expect, test } from "vitest";
import { createBotWebhook } from "../src/fetch/index.js";
import { type BotSession, type BotSessionOptions, createBotSession } from "../src/index.js";
import { withOutages } from "./failing-store.js";

async function started(place: SharedPlace, platform: string): Promise<OtherProcess> {
  const worker = new OtherProcess(new URL("./sending-worker.mjs", import.meta.url), {
    where: place.where,
    platform,
  });
  await worker.until((line) => "ready" in line);
  return worker;
}

/** What the platform has of an update that is delivered to three workers, each of which is killed while it holds. */
async function sentAround(kind: (typeof sharedKinds)[number], text: string): Promise<readonly string[]> {
  const place = await sharedPlace(kind);
  const platform = join(await temporaryFolder(), "sent.txt");
  const update = JSON.stringify({ id: 1, user: 42, text });
  for (let delivery = 1; delivery <= 3; delivery++) {
    const worker = await started(place, platform);
    worker.writeLine(update);
    await worker.until((line) => "holds" in line);
    await worker.kill();
  }
  return (await readFile(platform, "utf8")).trim().split("\n");
}

describe.each(sharedKinds)("replies that are sent by workers on %s", (kind) => {
  test.concurrent(
    "a reply that was sent and recorded as sent is not sent again, though its worker was killed before it responded",
    withTestCleanup(async () => {
      const text = "hold before responding";
      expect(await sentAround(kind, text)).toEqual([`to ${text}`]);
    }),
  );

  test.concurrent(
    "a reply whose worker was killed before it was recorded as sent is sent again, in the same words",
    withTestCleanup(async () => {
      const text = "hold after sending";
      expect(await sentAround(kind, text)).toEqual(Array(3).fill(`to ${text}`));
    }),
  );
});

async function withBot(options: Partial<BotSessionOptions> = {}): Promise<[BotSession, SessionStore]> {
  const store = await memoryPlace().open();
  const respond = (): string => "ok";
  return [createBotSession({ store, platform: "test", scope: "user", respond, ...options }), store];
}

const update = { id: 1, user: 42, text: "hi" };

test("a reply is unsent until it is confirmed, and sent from then on", async () => {
  const [bot] = await withBot();
  expect(await bot.handle(update)).toMatchObject({ duplicate: false, sent: false });
  expect(await bot.handle(update)).toMatchObject({ reply: "ok", duplicate: true, sent: false });
  expect(await bot.confirmSent(update)).toBe(true);
  expect(await bot.handle(update)).toMatchObject({ reply: "ok", duplicate: true, sent: true });
  expect(await bot.confirmSent(update)).toBe(true);
});

test("a confirmation is one commit, and a second one changes nothing", async () => {
  const [bot, store] = await withBot();
  const { revision, sessionId } = await bot.handle(update);
  await bot.confirmSent(update);
  expect(await store.getSession(sessionId)).toMatchObject({ revision: revision + 1, messageCount: 2 });
  await bot.confirmSent(update);
  expect(await store.getSession(sessionId)).toMatchObject({ revision: revision + 1 });
});

test("an update that has no stored reply cannot be confirmed, and nothing is stored", async () => {
  const [bot, store] = await withBot({ respond: () => Promise.reject(new Error("no model")) });
  expect(await bot.confirmSent(update)).toBe(false);
  expect((await store.listSessions()).items).toEqual([]);
  await expect(bot.handle(update)).rejects.toThrow("no model");
  expect(await bot.confirmSent(update)).toBe(false);
});

test("an update whose session was deleted is a new one: its new reply is unsent", async () => {
  const [bot, store] = await withBot();
  const { sessionId } = await bot.handle(update);
  await bot.confirmSent(update);
  await store.deleteSession(sessionId);
  expect(await bot.confirmSent(update)).toBe(false);
  expect(await bot.handle(update)).toMatchObject({ duplicate: false, sent: false });
});

test("a confirmation lasts through a reset, before it or after it, and through one that destroys", async () => {
  const [bot] = await withBot();
  const late = { ...update, id: 2 };
  await bot.handle(update);
  await bot.handle(late);
  await bot.confirmSent(update);
  await bot.reset({ user: 42 });
  expect(await bot.confirmSent(late)).toBe(true);
  for (const each of [update, late])
    expect(await bot.handle(each)).toMatchObject({ reply: "ok", duplicate: true, sent: true });
  const third = { ...update, id: 3 };
  await bot.handle(third);
  await bot.confirmSent(third);
  await bot.reset({ user: 42 }, { destroy: true });
  expect(await bot.handle(third)).toMatchObject({ reply: undefined, duplicate: true, sent: true });
});

test("the reply to a command that resets is confirmed like any other", async () => {
  const [bot] = await withBot();
  const command = { ...update, text: "/new" };
  expect(await bot.handle(command)).toMatchObject({ outcome: "reset", sent: false });
  expect(await bot.confirmSent(command)).toBe(true);
  expect(await bot.handle(command)).toMatchObject({ outcome: "reset", duplicate: true, sent: true });
});

test("of the replies that are confirmed after they were archived, the last 32 are known", async () => {
  const [bot] = await withBot();
  const commands = Array.from({ length: 33 }, (_, id) => ({ ...update, id, text: "/new" }));
  for (const command of commands) {
    await bot.handle(command);
    await bot.confirmSent(command);
  }
  const sent = await Promise.all(commands.map(async (command) => (await bot.handle(command)).sent));
  expect(sent).toEqual([false, ...Array(32).fill(true)]);
});

test("a webhook sends a reply once, though its update is delivered three times", async () => {
  const [bot] = await withBot();
  const sent: unknown[] = [];
  const webhook = createBotWebhook({
    bot,
    read: async (request) => JSON.parse(await request.text()),
    send: async ({ reply }) => void sent.push(reply),
  });
  for (let delivery = 1; delivery <= 3; delivery++) {
    const body = JSON.stringify(update);
    expect((await webhook(new Request("http://bot/", { method: "POST", body }))).status).toBe(200);
  }
  expect(sent).toEqual(["ok"]);
});

test("a webhook whose reply was sent, and could not be recorded as sent, responds 200 and reports the error", async () => {
  let isOut = false;
  const store = withOutages(await memoryPlace().open(), () => isOut);
  const errors: unknown[] = [];
  const webhook = createBotWebhook({
    bot: createBotSession({ store, platform: "test", scope: "user", respond: () => "ok", ttlMs: 200 }),
    read: async (request) => JSON.parse(await request.text()),
    async send() {
      isOut = true;
    },
    onError: (error) => void errors.push(error),
  });
  const body = JSON.stringify(update);
  expect((await webhook(new Request("http://bot/", { method: "POST", body }))).status).toBe(200);
  expect(errors).toMatchObject([{ code: "STORE_BUSY" }]);
});
