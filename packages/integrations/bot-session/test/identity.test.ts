import { type Place, storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { type BotSession, createBotSession } from "../src/index.js";

async function botsOn(place: Place): Promise<Readonly<Record<"telegram" | "slack" | "mail", BotSession>>> {
  const bot = async (platform: string): Promise<BotSession> =>
    createBotSession({
      store: await place.open(),
      platform,
      scope: "user",
      respond: ({ messages }) => `${messages.length}`,
    });
  return { telegram: await bot("telegram"), slack: await bot("slack"), mail: await bot("mail") };
}

const ann = { platform: "telegram", user: 42 };
const annOnSlack = { platform: "slack", user: "U42" };
const annByMail = { platform: "mail", user: "ann@example.com" };

describe.each(storeKinds)("on $name", ({ place }) => {
  test("one person on several platforms shares one conversation, until unlinked", async () => {
    const { telegram, slack, mail } = await botsOn(await place());
    await telegram.handle({ id: 1, user: 42, text: "a" });
    await telegram.link(ann, annOnSlack);
    await slack.link(annOnSlack, annByMail);
    expect((await slack.handle({ id: 1, user: "U42", text: "b" })).reply).toBe("3");
    expect((await mail.handle({ id: 1, user: annByMail.user, text: "c" })).reply).toBe("5");
    const platforms = (await mail.linksFor(annByMail)).map(({ platform }) => platform);
    expect(platforms.toSorted()).toEqual(["mail", "slack", "telegram"]);
    expect(await telegram.unlink(annByMail)).toBe(true);
    expect(await telegram.unlink(annByMail)).toBe(false);
    expect((await mail.handle({ id: 2, user: annByMail.user, text: "d" })).reply).toBe("1");
    expect(await mail.linksFor(annByMail)).toHaveLength(1);
    expect(await telegram.linksFor(ann)).toHaveLength(2);
  });

  test("the same id from another platform or account is another update, also where they share a conversation", async () => {
    const store = await (await place()).open();
    const names = [
      { platform: "telegram" },
      { platform: "telegram", account: "second" },
      { platform: "slack" },
    ];
    const bots = names.map((name) =>
      createBotSession({ ...name, store, scope: "user", respond: ({ messages }) => `${messages.length}` }),
    );
    for (const name of names.slice(1)) await bots[0]?.link(ann, { ...name, user: 42 });
    const update = { id: 1, user: 42, text: "a" };
    const replies: unknown[] = [];
    for (const bot of bots) {
      const { reply, duplicate } = await bot.handle(update);
      replies.push([reply, duplicate]);
    }
    expect(replies).toEqual([
      ["1", false],
      ["3", false],
      ["5", false],
    ]);
  });

  test("messages from before a link stay in their own session, and are back after unlink", async () => {
    const { telegram, slack } = await botsOn(await place());
    await slack.handle({ id: 1, user: "U42", text: "before" });
    await telegram.link(ann, annOnSlack);
    expect((await slack.handle({ id: 2, user: "U42", text: "linked" })).reply).toBe("1");
    await slack.unlink(annOnSlack);
    expect((await slack.handle({ id: 3, user: "U42", text: "after" })).reply).toBe("3");
  });

  test("links that are made at once in both directions lead to one conversation", async () => {
    const { telegram, slack } = await botsOn(await place());
    await Promise.all([telegram.link(ann, annOnSlack), slack.link(annOnSlack, ann)]);
    expect(await telegram.sessionId({ user: 42 })).toBe(await slack.sessionId({ user: "U42" }));
    expect(await telegram.linksFor(ann)).toHaveLength(2);
  });

  test("identities for which `identity` returns the same name share one conversation", async () => {
    const store = await (await place()).open();
    const bot = createBotSession({
      store,
      platform: "telegram",
      scope: "user",
      respond: () => "ok",
      identity: ({ user }) => (Number(user) < 10 ? "staff" : undefined),
    });
    expect(await bot.sessionId({ user: 1 })).toBe(await bot.sessionId({ user: 2 }));
    expect(await bot.sessionId({ user: 10 })).not.toBe(await bot.sessionId({ user: 11 }));
  });
});

test.each([null, "", 5, {}, "\ud800"])("an `identity` that returns %j is INVALID_ARGUMENT", async (name) => {
  const [kind] = storeKinds;
  const store = await (await kind?.place())?.open();
  if (store === undefined) throw new Error("there is no store");
  const identity = (): never => name as never;
  const bot = createBotSession({ store, platform: "telegram", scope: "user", respond: () => "ok", identity });
  const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" });
  await expect(bot.handle({ id: 1, user: 1, text: "x" })).rejects.toEqual(invalid);
  await expect(bot.sessionId({ user: 1 })).rejects.toEqual(invalid);
});
