import { storeKinds } from "test-tools";
import { describe, expect, test } from "vitest";
import { createBotSession, type ErrorPlace } from "../src/index.js";
import { withoutCompletion } from "./failing-store.js";

describe.each(storeKinds)("on $name", ({ place }) => {
  test("a reply that could not be stored is not returned, and the error reaches the caller and onError", async () => {
    const shared = await place();
    const told: [unknown, ErrorPlace][] = [];
    let runs = 0;
    const bot = (isBroken: boolean, store: Awaited<ReturnType<typeof shared.open>>) =>
      createBotSession({
        store: isBroken ? withoutCompletion(store) : store,
        platform: "p",
        scope: "user",
        respond: () => `run ${++runs}`,
        onError: (...error) => void told.push(error),
      });
    const update = { id: 1, user: 1, text: "hi" };
    const store = await shared.open();
    const failing = bot(true, store).handle(update);
    await expect(failing).rejects.toMatchObject({ code: "SESSION_CORRUPTED" });
    expect(told).toEqual([
      [expect.objectContaining({ code: "SESSION_CORRUPTED" }), { during: "turn", update }],
    ]);
    // The platform delivers again, and the store works.
    expect(await bot(false, store).handle(update)).toMatchObject({ reply: "run 2", duplicate: false });
    const session = await store.getSession(await bot(false, store).sessionId(update));
    expect(session?.messages.map(({ content }) => content)).toEqual(["hi", "run 2"]);
  });
});

test("an error of a hook fails no turn, and goes to onError", async () => {
  const [kind] = storeKinds;
  const store = await (await kind?.place())?.open();
  if (store === undefined) throw new Error("there is no store");
  const told: unknown[] = [];
  const bot = createBotSession({
    store,
    platform: "p",
    scope: "user",
    respond: () => "ok",
    onSessionStart() {
      throw new Error("the hook is broken");
    },
    onError: (error, { during }) => void told.push([String(error), during]),
  });
  expect((await bot.handle({ id: 1, user: 1, text: "hi" })).reply).toBe("ok");
  expect(told).toEqual([["Error: the hook is broken", "hook"]]);
});
