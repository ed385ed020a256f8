import { saveMessages } from "@sessions/ai-sdk";
import { openJsonFileStore } from "@sessions/json-file";
import { expect, test } from "vitest";
import { click, hasTitles, isDone, placesInBrowser, titles } from "./place.js";

const place = placesInBrowser();
const folder = (data: string): string => `file:${data}/chats`;

test.concurrent("older chats are listed on request, and one of them can be open without being in the list", async (context) => {
  const { server, tab, data } = await place(context, folder);
  {
    await using store = await openJsonFileStore({ root: `${data}/chats` });
    for (let number = 1; number <= 52; number++) {
      const part = { type: "text", text: `Question ${number}` } as const;
      await saveMessages(store, `c${number}`, [{ id: "m1", role: "user", parts: [part] }]);
      await store.patchSession(`c${number}`, { title: `Chat ${number}` });
    }
  }
  const page = await tab(await server(), "c1");
  await isDone(page, ["Question 1"]);
  await page.getByRole("heading", { name: "Chat 1", exact: true }).waitFor();
  const newest = Array.from({ length: 52 }, (_, index) => `Chat ${52 - index}`);
  await hasTitles(page, newest.slice(0, 50));
  await click(page, "Show older chats");
  await hasTitles(page, newest);
  expect(await page.getByRole("button", { name: "Show older chats" }).count()).toBe(0);
});

test.concurrent("a tab that cannot be seen keeps no connection for the list, and catches up when it is looked at", async (context) => {
  const { server, tab } = await place(context, folder);
  const one = await server({ delayMs: 1 });
  const [hidden, other] = [await tab(one, "a"), await tab(one, "b")];
  const look = (state: "hidden" | "visible"): Promise<void> =>
    hidden.evaluate((visibility) => {
      Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await hasTitles(hidden, []);
  const closed = hidden.waitForEvent("requestfailed", (request) => request.url().includes("/api/chats"));
  await look("hidden");
  await closed;
  await other.getByLabel("Message", { exact: true }).fill("Hello.");
  await click(other, "Send");
  await hasTitles(other, ["Hello."]);
  expect(await titles(hidden)).toEqual([]);
  await look("visible");
  await hasTitles(hidden, ["Hello."]);
  expect(await hidden.getByText("Reconnecting…").count()).toBe(0);
});
