import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import type { BotSession } from "../src/bot-session.js";
import { createBotSession } from "../src/create-bot-session.js";
import { createBotWebhook } from "../src/fetch/index.js";
import type { BotSessionOptions } from "../src/options.js";

type Loose = (...args: unknown[]) => unknown;
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });
const NO_OPTIONS = [null, 5, "x", [], new Map(), { noSuchOption: 1 }];

type BotCall = (bot: BotSession, given: unknown) => Promise<unknown>;

async function needed(): Promise<BotSessionOptions> {
  return { store: await memoryPlace().open(), platform: "p", scope: "user", respond: () => "Hello." };
}

test("createBotSession refuses unknown options, also nested ones", async () => {
  const base = await needed();
  const create = createBotSession as Loose;
  for (const options of NO_OPTIONS) expect(() => create(options)).toThrow(INVALID);
  expect(() => create({ ...base, historry: {} })).toThrow('Did you mean "history"?');
  expect(() => create({ ...base, reset: { idelMs: 1 } })).toThrow('Did you mean "idleMs"?');
  expect(() => create({ ...base, reset: { daily: { hour: 4, timezon: "UTC" } } })).toThrow("timeZone");
  expect(() => create({ ...base, reset: { commands: "/new" } })).toThrow(INVALID);
  expect(() => create({ ...base, history: { maxToken: 1 } })).toThrow('Did you mean "maxTokens"?');
  expect(() => create({ ...base, checkpoint: null })).toThrow(INVALID);
});

test.each<[string, BotCall]>([
  ["handle", (bot, options) => bot.handle({ id: 1, user: 1, text: "Hi." }, options as never)],
  ["reset", (bot, options) => bot.reset({ user: 1 }, options as never)],
  ["endIdle", (bot, options) => bot.endIdle(options as never)],
])("%s rejects unknown options", async (_, call) => {
  const bot = createBotSession(await needed());
  for (const options of NO_OPTIONS)
    await expect(call(bot, options), String(options)).rejects.toEqual(INVALID);
});

test.each<[string, BotCall]>([
  ["handle", (bot, update) => bot.handle(update as never)],
  ["record", (bot, update) => bot.record(update as never)],
  ["mirror", (bot, message) => bot.mirror({ user: 1 }, message as never)],
  ["sessionId", (bot, target) => bot.sessionId(target as never)],
  ["link", (bot, identity) => bot.link(identity as never, identity as never)],
  ["unlink", (bot, identity) => bot.unlink(identity as never)],
  ["linksFor", (bot, identity) => bot.linksFor(identity as never)],
])("%s rejects arguments that are no objects", async (_, call) => {
  const bot = createBotSession(await needed());
  for (const given of [null, undefined, 5, "x", []])
    await expect(call(bot, given), String(given)).rejects.toEqual(INVALID);
});

test("createBotWebhook refuses unknown options", async () => {
  const bot = createBotSession(await needed());
  const create = createBotWebhook as Loose;
  for (const options of NO_OPTIONS) expect(() => create(options)).toThrow(INVALID);
  expect(() => create({ bot, read: async () => undefined, sendd: 1 })).toThrow('Did you mean "send"?');
});
