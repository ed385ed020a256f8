import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { codeOf, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test.each(["session", "window"] as const)(
  "a warm store refuses to read and to write a session whose %s has a newer format",
  async (part) => {
    await using opened = await openedStore(server);
    const { store, client, keys } = opened;
    await store.addMessage("s", user("1"));
    await store.getSession("s");
    // A newer version may write fields that look like damage to this one.
    await client.hset(keys.session("s").session, "z", "in another form", "o", "a newer version");
    await client.hset(keys.session("s")[part], "v", "99");
    for (let n = 0; n < 2; n++) {
      expect(await codeOf(store.getSession("s"))).toBe("FORMAT_UNSUPPORTED");
      expect(await codeOf(store.getSession("s", { messages: "none" }))).toBe("FORMAT_UNSUPPORTED");
      expect(await codeOf(store.exportSession("s"))).toBe("FORMAT_UNSUPPORTED");
      expect(await codeOf(store.updateSessionMetadata("s", { a: 1 }))).toBe("FORMAT_UNSUPPORTED");
    }
  },
);

test("a warm store refuses to read a session whose mark alone is newer", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  await store.addMessage("s", user("1"));
  await store.getSession("s");
  await client.hset(keys.session("s").session, "v", "99");
  expect(await codeOf(store.getSession("s"))).toBe("FORMAT_UNSUPPORTED");
  expect(await codeOf(store.addMessage("s", user("2")))).toBe("FORMAT_UNSUPPORTED");
  expect(await codeOf(Promise.resolve(store.listSessions()))).toBe("FORMAT_UNSUPPORTED");
});
