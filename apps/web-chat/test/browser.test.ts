import { describe, expect, test, vi } from "vitest";
import { story } from "../src/story.js";
import {
  click,
  hasStatus,
  isCutOff,
  isDone,
  lastText,
  midStory,
  POLL,
  placesInBrowser,
  says,
  send,
  texts,
} from "./place.js";
import { sharedStores } from "./stores.js";

const STORY = story();

const place = placesInBrowser();
const stores = await sharedStores();

describe.each(stores)("on $kind, with only SESSIONS_STORE set", ({ url }) => {
  test.concurrent("a reload and a tab on another server process show the answer from its beginning and follow it", async (context) => {
    const { server, tab } = await place(context, url);
    const [one, two] = [await server(), await server()];
    const first = await tab(one);
    await send(first, "A long story, please.");
    await midStory(first, "Night 3.");
    const second = await tab(two); // another process, another port
    await says(second, "Night 4.");
    await first.reload();
    await says(first, "Night 5.");
    const expected = ["A long story, please.", STORY];
    await isDone(first, expected);
    await isDone(second, expected);
    await first.reload();
    await isDone(first, expected);
    expect(await first.locator("article[data-cut-off=true]").count()).toBe(0);
  });

  test.concurrent("stop from another tab, edit, regenerate and a repeated request lose nothing and store nothing twice", async (context) => {
    const { server, tab } = await place(context, url);
    // Slow, so that the answer cannot end before it is stopped.
    const [one, two] = [await server({ delayMs: 60 }), await server({ delayMs: 1 })];
    const first = await tab(one);
    await send(first, "A long story, please.");
    await midStory(first, "Night 2.");
    const second = await tab(two);
    await says(second, "Night 2.");
    await click(second, "Stop");
    await isCutOff(second);
    const partial = await lastText(second);
    expect(STORY.startsWith(partial)).toBe(true);
    await hasStatus(first, "ready");
    expect(STORY.startsWith(await lastText(first))).toBe(true);

    await click(second, "Edit");
    await second.getByLabel("Edit message").fill("Hello.");
    await click(second, "Save");
    const answer = 'You said "Hello.". That was message 1.';
    await isDone(second, ["Hello.", answer]);
    await click(second, "Regenerate");
    await isDone(second, ["Hello.", answer]);
    await send(second, "And now?");
    const expected = ["Hello.", answer, "And now?", 'You said "And now?". That was message 3.'];
    await isDone(second, expected);

    // The browser sends the same request twice, as after a lost response.
    const streams = await second.evaluate(async () => {
      const message = { id: "twice", role: "user", parts: [{ type: "text", text: "Twice." }] };
      const body = JSON.stringify({ id: "c1", messages: [message], trigger: "submit-message" });
      const request = { method: "POST", headers: { "content-type": "application/json" }, body };
      const post = async (): Promise<string> => (await fetch("/api/chat", request)).text();
      return [...(await Promise.all([post(), post()])), await post()];
    });
    expect(new Set(streams.map((stream) => /"messageId":"([^"]+)"/.exec(stream)?.[1])).size).toBe(1);
    await first.reload();
    await isDone(first, [...expected, "Twice.", 'You said "Twice.". That was message 5.']);
  });

  test.concurrent("after the server is killed during an answer, the page connects to the next one, shows the incomplete answer and retries", async (context) => {
    const { server, tab } = await place(context, url);
    const killed = await server({ delayMs: 60 });
    const page = await tab(killed);
    await send(page, "A long story, please.");
    await midStory(page, "Night 3.");
    await killed.kill();
    await page.getByText("Reconnecting…").waitFor();
    const next = await server({ port: killed.port, delayMs: 1 });
    await page.getByText("The server is back.").waitFor();
    const later = await tab(next);
    await isCutOff(later);
    const partial = await lastText(later);
    expect(partial).toContain("Night 2.");
    expect(STORY.startsWith(partial)).toBe(true);
    expect(partial.length).toBeLessThan(STORY.length);
    // So does the page that stayed open: what it had read after the last checkpoint is not stored.
    await vi.waitFor(async () => expect(await texts(page)).toEqual(["A long story, please.", partial]), POLL);
    await isCutOff(page);
    await click(page, "Retry");
    await isDone(page, ["A long story, please.", STORY]);
    await later.reload();
    await isDone(later, ["A long story, please.", STORY]);
  });
});

test("a reload shows a chat in memory as long as its server runs", async (context) => {
  const { server, tab } = await place(context, () => "memory:");
  const page = await tab(await server({ delayMs: 1 }));
  await send(page, "Hello.");
  const expected = ["Hello.", 'You said "Hello.". That was message 1.'];
  await isDone(page, expected);
  await page.reload();
  await isDone(page, expected);
});
