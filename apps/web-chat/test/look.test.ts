import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { lowContrasts, nodesWithoutNames, tabStops } from "./accessibility.js";
import { click, hasTitles, isCutOff, isDone, midStory, placesInBrowser, send } from "./place.js";

const place = placesInBrowser();
const memory = (): string => "memory:";
const background = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test.concurrent("the theme is the system's until it is switched, and a choice is there after a reload, without a flash", async (context) => {
  const { server, tab } = await place(context, memory, { colorScheme: "dark" });
  const page = await tab(await server());
  const dark = await background(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Use the dark theme" }).waitFor();
  const light = await background(page);
  expect(light).not.toBe(dark);
  await click(page, "Use the dark theme");
  expect(await background(page)).toBe(dark);
  const html = await (await page.reload())?.text();
  expect(html).toContain('<html data-theme="dark" ');
  expect(await background(page)).toBe(dark);
  await click(page, "Use the light theme"); // what the system has
  expect(await background(page)).toBe(light);
  expect(await (await page.reload())?.text()).not.toContain("data-theme");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Use the light theme" }).waitFor();
  expect(await background(page)).toBe(dark);
});

test.concurrent("all text has enough contrast, and every control has a name, in both themes", async (context) => {
  const { server, tab } = await place(context, memory);
  const one = await server({ delayMs: 15 });
  const page = await tab(one);
  const isReadable = async (): Promise<void> => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await lowContrasts(page)]).toEqual([colorScheme, []]);
    }
    expect(await nodesWithoutNames(page)).toEqual([]);
  };
  await isReadable(); // what to try
  await send(page, "A long story.");
  await midStory(page, "Night 2.");
  await isReadable();
  await click(page, "Stop");
  await isCutOff(page);
  await page.getByRole("button", { name: "Edit" }).click();
  await click(page, "Delete A long story.");
  await page.getByRole("dialog").waitFor();
  await isReadable();
  await click(page, "Cancel");
  await click(page, "Rename A long story.");
  await isReadable();
  await one.kill();
  await page.getByText("Reconnecting…").waitFor();
  await isReadable();
});

test.concurrent("on a phone the chat has the whole width, and the list opens over it and closes with Escape", async (context) => {
  const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
  const { server, tab } = await place(context, memory, phone);
  const page = await tab(await server({ delayMs: 1 }), "a");
  const isWide = (): Promise<boolean> =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  await send(page, `A${"a".repeat(300)}`);
  await hasTitles(page, []); // hidden from screen readers as well
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  expect(await isWide()).toBe(false);
  const sidebar = page.getByRole("complementary", { name: "Chats" });
  expect(await sidebar.count()).toBe(0);
  await click(page, "Show the chats");
  await sidebar.waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Hide the chats",
  );
  const reached = (await tabStops(page)).map(({ name }) => name);
  expect(reached.slice(0, 2)).toEqual(["Hide the chats", "New chat"]);
  expect(reached).not.toContain("Message"); // it is behind the list
  await page.keyboard.press("Escape");
  await sidebar.waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Show the chats",
  );
  await click(page, "Show the chats");
  await page.getByRole("button", { name: "New chat" }).tap();
  await sidebar.waitFor({ state: "hidden" });
  await isDone(page, []);
  await page.getByRole("button", { name: "Hello!" }).tap();
  await isDone(page, ["Hello!", 'You said "Hello!". That was message 1.']);
  expect(await isWide()).toBe(false);
});

test.concurrent("the page loads nothing from elsewhere, and its icon from the server", async (context) => {
  const { server, tab } = await place(context, memory);
  const one = await server({ delayMs: 15 });
  const page = await tab(one);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.reload();
  await send(page, "A long story.");
  await midStory(page, "Night 2.");
  await click(page, "Stop");
  await isCutOff(page);
  expect(requested.length).toBeGreaterThan(5);
  expect(requested.filter((url) => !url.startsWith(one.url))).toEqual([]);
  const icon = await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
    const response = await fetch(href);
    return [response.status, response.headers.get("content-type")];
  });
  expect(icon).toEqual([200, "image/svg+xml"]);
});
