import fc from "fast-check";
import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { type BotScope, type BotTarget, createBotSession } from "../src/index.js";

async function idOf(
  target: BotTarget,
  scope: BotScope = "user",
  names: { readonly platform?: string; readonly account?: string } = {},
): Promise<string> {
  const store = await memoryPlace().open();
  const bot = createBotSession({ store, platform: "p", ...names, scope, respond: () => undefined });
  return bot.sessionId(target);
}

test("scope and target determine the conversation of a message", async () => {
  const group = { user: 1, chat: 9 };
  expect(await idOf(group)).toBe(await idOf({ user: 1 }));
  expect(await idOf(group, "chat")).toBe(await idOf({ user: 2, chat: 9 }, "chat"));
  expect(await idOf(group, "chat")).not.toBe(await idOf({ user: 1, chat: 8 }, "chat"));
  expect(await idOf({ ...group, thread: 1 }, "thread")).not.toBe(
    await idOf({ ...group, thread: 2 }, "thread"),
  );
  expect(await idOf({ ...group, thread: 1 }, "thread")).toBe(
    await idOf({ user: 2, chat: 9, thread: 1 }, "thread"),
  );
  expect(await idOf(group, "thread")).toBe(await idOf(group, "chat"));
  expect(await idOf({ ...group, thread: 1 }, "chat")).toBe(await idOf(group, "chat"));
  for (const scope of ["user", "chat", "thread"] as const)
    expect(await idOf({ ...group, direct: true }, scope)).toBe(await idOf({ user: 1 }));
  expect(await idOf(group, "user", { account: "a" })).not.toBe(await idOf(group));
  expect(await idOf(group, "user", { platform: "q" })).not.toBe(await idOf(group));
  await expect(idOf({ user: 1 }, "chat")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("different users have different conversations, whatever characters their ids contain", async () => {
  const ids = ["1", "user:1", "user/1", "user_1", "User:1", "@a.b:x", "@a_b:x", "../../x", "%2f", "1/", "#"];
  const long = ["x".repeat(500), `${"x".repeat(499)}y`, "é".repeat(300)];
  const names = await Promise.all([...ids, ...long].map((user) => idOf({ user })));
  expect(new Set(names).size).toBe(names.length);
  const hostile = fc.string({ unit: "binary", minLength: 1, maxLength: 8 }).filter((id) => id.isWellFormed());
  const four = fc.tuple(hostile, hostile, hostile, hostile);
  await fc.assert(
    fc.asyncProperty(four, four, async (a, b) => {
      const name = ([platform, account, chat, thread]: typeof a): Promise<string> =>
        idOf({ user: 1, chat, thread }, "thread", { platform, account });
      expect((await name(a)) === (await name(b))).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { numRuns: 200 },
  );
});

test("an id that is neither a whole number nor non-empty text is refused", async () => {
  for (const user of ["", "\ud800", Number.NaN, 1.5])
    await expect(idOf({ user })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
