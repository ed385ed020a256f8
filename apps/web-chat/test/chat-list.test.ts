import { saveMessages } from "@sessions/ai-sdk";
import { openJsonFileStore } from "@sessions/json-file";
import { expect, test } from "vitest";
import { click, hasTitles, isDone, placesInBrowser, send, titles } from "./place.js";
import { sharedStores } from "./stores.js";

const place = placesInBrowser();
const folder = (data: string): string => `file:${data}/chats`;

test.concurrent.for(await sharedStores())(
  "on $kind, the list of chats is live in every process, newest first; a chat can be renamed, and deleted after a confirmation",
  async ({ url }, context) => {
    const { server, tab } = await place(context, url);
    const [one, two] = [await server({ delayMs: 1 }), await server({ delayMs: 1 })];
    const [first, second] = [await tab(one, "a"), await tab(two, "b")];
    await hasTitles(first, []);
    await send(first, "Hello from a.");
    await hasTitles(second, ["Hello from a."]);
    await send(second, "Hello from b.");
    await hasTitles(first, ["Hello from b.", "Hello from a."]);
    await isDone(first, ["Hello from a.", 'You said "Hello from a.". That was message 1.']);
    await send(first, "Again.");
    await hasTitles(second, ["Hello from a.", "Hello from b."]);
    await isDone(second, ["Hello from b.", 'You said "Hello from b.". That was message 1.']);

    await click(second, "Rename Hello from a.");
    await second.getByLabel("Title", { exact: true }).fill("  Greetings  ");
    await second.keyboard.press("Enter");
    await first.getByRole("heading", { name: "Greetings", exact: true }).waitFor();
    await hasTitles(first, ["Greetings", "Hello from b."]);
    await context.expect.poll(() => first.title()).toBe("Greetings · Web chat");
    await click(first, "Rename Greetings");
    await first.getByLabel("Title", { exact: true }).fill("Not this");
    await first.keyboard.press("Escape");
    expect(await titles(first)).toEqual(["Greetings", "Hello from b."]);

    const dialog = second.getByRole("dialog", { name: "Delete this chat?" });
    await click(second, "Delete Greetings");
    await click(second, "Cancel");
    await dialog.waitFor({ state: "detached" });
    await click(second, "Delete Greetings");
    await dialog.getByText("Greetings").waitFor();
    await second.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await hasTitles(first, ["Greetings", "Hello from b."]);
    await click(second, "Delete Greetings");
    await click(second, "Delete");
    await hasTitles(second, ["Hello from b."]);
    await hasTitles(first, ["Hello from b."]);
    await first.getByText("This chat was deleted.").waitFor();
    await first.reload();
    await isDone(first, []);
    await click(second, "Delete Hello from b.");
    await click(second, "Delete");
    await isDone(second, []); // the page that deletes its own chat has a new one
    await hasTitles(first, []);
  },
);

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
