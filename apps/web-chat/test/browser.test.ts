import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startServer } from "redis-servers";
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from "vitest";
import { story } from "../src/story.js";
import { ChatServer } from "./chat-server.js";
import { openBrowser } from "./chromium.js";

const STORY = story();
const POLL = { timeout: 50_000, interval: 50 };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, 120_000);
afterAll(() => browser.close());

const redis = await startServer();
afterAll(() => redis.stop());

/** The stores, in the form of SESSIONS_STORE. */
const stores: readonly { readonly kind: string; readonly url: (folder: string) => string }[] = [
  { kind: "file", url: (folder) => `file:${folder}/chats` },
  { kind: "sqlite", url: (folder) => `sqlite:${folder}/chats.db` },
  { kind: "redis", url: (folder) => `${redis.url}?prefix=${basename(folder)}` },
];

/** A store of chats, with servers and tabs. All are closed when the test has ended. */
async function place(
  url: (folder: string) => string,
  { onTestFinished }: TestContext,
): Promise<{
  readonly server: (options?: { port?: number; delayMs?: number }) => Promise<ChatServer>;
  readonly tab: (server: ChatServer, chat?: string) => Promise<Page>;
}> {
  const data = await mkdtemp(join(tmpdir(), "web-chat-"));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const context: BrowserContext = await browser.newContext();
  onTestFinished(() => context.close());
  return {
    async server(options) {
      const started = await ChatServer.start(url(data), options);
      onTestFinished(() => started.kill());
      return started;
    },
    async tab(server, chat = "c1") {
      const page = await context.newPage();
      await page.goto(`${server.url}?chat=${chat}`);
      await page.waitForSelector("form");
      return page;
    },
  };
}

const texts = (page: Page): Promise<string[]> => page.locator("article p").allTextContents();
const lastText = async (page: Page): Promise<string> => (await texts(page)).at(-1) ?? "";
const click = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).first().click();

async function send(page: Page, text: string, button = "Send"): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await click(page, button);
}

/** Waits until a part of the story is shown. */
async function midStory(page: Page, night: string): Promise<void> {
  await vi.waitFor(async () => expect(await lastText(page)).toContain(night), POLL);
  expect((await lastText(page)).length).toBeLessThan(STORY.length);
}

async function isDone(page: Page, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await texts(page)).toEqual(expected), POLL);
  await vi.waitFor(
    async () => expect(await page.locator("main").getAttribute("data-status")).toBe("ready"),
    POLL,
  );
}

describe.each(stores)("on $kind, with only SESSIONS_STORE set", ({ url }) => {
  test.concurrent("a reload and a tab on another server process show the answer from its beginning and follow it", async (context) => {
    const { server, tab } = await place(url, context);
    const [one, two] = [await server(), await server()];
    const first = await tab(one);
    await send(first, "A long story, please.");
    await midStory(first, "Night 3.");
    const second = await tab(two); // another process, another port
    await vi.waitFor(async () => expect(await lastText(second)).toContain("Night 4."), POLL);
    await first.reload();
    await vi.waitFor(async () => expect(await lastText(first)).toContain("Night 5."), POLL);
    const expected = ["A long story, please.", STORY];
    await isDone(first, expected);
    await isDone(second, expected);
    await first.reload();
    await isDone(first, expected);
    expect(await first.locator("article[data-cut-off=true]").count()).toBe(0);
  });

  test.concurrent("stop from another tab, edit, regenerate and a repeated request lose nothing and store nothing twice", async (context) => {
    const { server, tab } = await place(url, context);
    // Slow, so that the answer cannot end before it is stopped.
    const [one, two] = [await server({ delayMs: 60 }), await server({ delayMs: 1 })];
    const first = await tab(one);
    await send(first, "A long story, please.");
    await midStory(first, "Night 2.");
    const second = await tab(two);
    await vi.waitFor(async () => expect(await lastText(second)).toContain("Night 2."), POLL);
    await click(second, "Stop");
    await vi.waitFor(
      async () => expect(await second.locator("article[data-cut-off=true]").count()).toBe(1),
      POLL,
    );
    const partial = await lastText(second);
    expect(STORY.startsWith(partial)).toBe(true);
    await vi.waitFor(
      async () => expect(await first.locator("main").getAttribute("data-status")).toBe("ready"),
      POLL,
    );
    expect(STORY.startsWith(await lastText(first))).toBe(true);

    await click(second, "Edit");
    await send(second, "Hello.", "Save");
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
    const { server, tab } = await place(url, context);
    const killed = await server({ delayMs: 60 });
    const page = await tab(killed);
    await send(page, "A long story, please.");
    await midStory(page, "Night 3.");
    await killed.kill();
    const next = await server({ port: killed.port, delayMs: 1 });
    const later = await tab(next);
    await vi.waitFor(
      async () => expect(await later.locator("article[data-cut-off=true]").count()).toBe(1),
      POLL,
    );
    const partial = await lastText(later);
    expect(partial).toContain("Night 2.");
    expect(STORY.startsWith(partial)).toBe(true);
    expect(partial.length).toBeLessThan(STORY.length);
    // So does the page that stayed open: what it had read after the last checkpoint is not stored.
    await vi.waitFor(async () => expect(await texts(page)).toEqual(["A long story, please.", partial]), POLL);
    await vi.waitFor(
      async () => expect(await page.locator("article[data-cut-off=true]").count()).toBe(1),
      POLL,
    );
    await click(page, "Retry");
    await isDone(page, ["A long story, please.", STORY]);
    await later.reload();
    await isDone(later, ["A long story, please.", STORY]);
  });
});

test("a reload shows a chat in memory as long as its server runs", async (context) => {
  const { server, tab } = await place(() => "memory:", context);
  const page = await tab(await server({ delayMs: 1 }));
  await send(page, "Hello.");
  const expected = ["Hello.", 'You said "Hello.". That was message 1.'];
  await isDone(page, expected);
  await page.reload();
  await isDone(page, expected);
});
