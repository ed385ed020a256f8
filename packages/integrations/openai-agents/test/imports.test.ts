import { MemorySession, type Session, user } from "@openai/agents";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";

const earlier = (): MemorySession => new MemorySession({ initialItems: [user("one"), user("two")] });

test.each(storeKinds)(
  "an import is one commit, made by the first call of any method: $name",
  async ({ open }) => {
    const store = await open();
    const uses: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
      getItems: (session) => session.getItems(),
      clearSession: (session) => session.clearSession(),
    };
    for (const [name, use] of Object.entries(uses)) {
      const session = openaiSession(store, name, { importFrom: earlier() });
      expect(await store.sessionExists(name)).toBe(false);
      await use(session);
    }
    expect(await store.getSession("getItems")).toMatchObject({ revision: 1, messageCount: 2 });
    expect(await store.getSession("clearSession")).toMatchObject({ revision: 2, messageCount: 0 });
  },
);

test.each(storeKinds)("nothing is imported into a session that has messages: $name", async ({ open }) => {
  const store = await open();
  await store.addMessage("s", { role: "user", content: "here before" });
  const session = openaiSession(store, "s", { importFrom: earlier() });
  expect(await session.getItems()).toMatchObject([{ content: "here before" }]);
  expect(await store.getSession("s")).toMatchObject({ revision: 1 });
});

test.each(storeKinds)("of several concurrent stores only one imports: $name", async ({ place: newPlace }) => {
  const place = await newPlace();
  const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()));
  const sessions = stores.map((store) => openaiSession(store, "s", { importFrom: earlier() }));
  const read = await Promise.all(sessions.map((session) => session.getItems()));
  for (const items of read) expect(items).toEqual([user("one"), user("two")]);
  expect(await stores[0]?.getSession("s")).toMatchObject({ revision: 1 });
});
