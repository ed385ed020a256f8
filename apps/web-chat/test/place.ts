import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, type TestContext, vi } from "vitest";
import { story } from "../src/story.js";
import { ChatServer, type ChatServerOptions } from "./chat-server.js";
import { openBrowser } from "./chromium.js";

export const POLL = { timeout: 50_000, interval: 50 };

/** A store of chats, with servers and tabs. All are closed when the test has ended. */
export interface Place {
  /** The folder that its store may use. */
  readonly data: string;
  readonly server: (options?: ChatServerOptions) => Promise<ChatServer>;
  /** Opens a chat, or a new one. */
  readonly tab: (server: ChatServer, chat?: string) => Promise<Page>;
}

/** Opens a browser for the tests of a file. Returns a function that makes places on a store, in the form of SESSIONS_STORE. */
export function placesInBrowser(): (
  context: TestContext,
  url: (folder: string) => string,
  options?: BrowserContextOptions,
) => Promise<Place> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 120_000);
  afterAll(() => browser.close());
  return async ({ onTestFinished }, url, options) => {
    const data = await mkdtemp(join(tmpdir(), "web-chat-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    // Without animations: many tabs would paint them all the time, without a graphics card.
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(POLL.timeout);
    return {
      data,
      async server(given) {
        const started = await ChatServer.start(url(data), given);
        onTestFinished(() => started.kill());
        return started;
      },
      async tab(server, chat = "c1") {
        const page = await context.newPage();
        await page.goto(`${server.url}?chat=${encodeURIComponent(chat)}`);
        await page.getByLabel("Message", { exact: true }).waitFor();
        return page;
      },
    };
  };
}

export const texts = (page: Page): Promise<string[]> => page.locator("article .text").allTextContents();

export const lastText = async (page: Page): Promise<string> => (await texts(page)).at(-1) ?? "";

export const click = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).first().click();

export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await click(page, "Send");
}

/** Waits until the last message has this text in it. */
export async function says(page: Page, part: string): Promise<void> {
  await vi.waitFor(async () => expect(await lastText(page)).toContain(part), POLL);
}

export async function hasStatus(page: Page, status: string): Promise<void> {
  await page.locator(`.chat[data-status=${status}]`).waitFor();
}

/** Waits until the last message has this part of the story in it, and is not yet all of it. */
export async function midStory(page: Page, night: string): Promise<void> {
  await says(page, night);
  expect((await lastText(page)).length).toBeLessThan(story().length);
}

/** Waits until exactly these messages are shown, and no answer is being written. */
export async function isDone(page: Page, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await texts(page)).toEqual(expected), POLL);
  await hasStatus(page, "ready");
}

export async function isCutOff(page: Page): Promise<void> {
  await page.locator("article[data-cut-off=true]").waitFor();
}

/** The titles in the list of chats, from above. */
export const titles = (page: Page): Promise<string[]> =>
  page.getByRole("navigation", { name: "Chats" }).getByRole("link").allTextContents();

export async function hasTitles(page: Page, expected: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await titles(page)).toEqual(expected), POLL);
}
