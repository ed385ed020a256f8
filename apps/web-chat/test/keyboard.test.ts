import { expect, test } from "vitest";
import { tabStops } from "./accessibility.js";
import {
  click,
  hasStatus,
  hasTitles,
  isCutOff,
  isDone,
  midStory,
  placesInBrowser,
  says,
  send,
  texts,
} from "./place.js";

const place = placesInBrowser();
const memory = (): string => "memory:";
const answerTo = (text: string, count: number): string => `You said "${text}". That was message ${count}.`;

test.concurrent("Enter sends, Shift+Enter makes a new line, and Escape stops the answer, cancels an edit and keeps a title", async (context) => {
  const { server, tab } = await place(context, memory);
  const page = await tab(await server({ delayMs: 15 }));
  const { keyboard } = page;
  await keyboard.type("Two"); // the field has the focus
  await keyboard.press("Shift+Enter");
  await keyboard.type("lines");
  expect(await texts(page)).toEqual([]);
  await keyboard.press("Enter");
  const first = ["Two\nlines", answerTo("Two\nlines", 1)];
  await isDone(page, first);
  await keyboard.press("Enter");
  await keyboard.type("A long story.");
  await keyboard.press("Enter");
  await midStory(page, "Night 2.");
  await keyboard.type("Typed meanwhile");
  await keyboard.press("Enter");
  expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("Typed meanwhile");
  await keyboard.press("Escape");
  await isCutOff(page);
  expect(await texts(page)).toHaveLength(4);

  await page.getByRole("button", { name: "Edit" }).last().press("Enter");
  await keyboard.press("Control+A");
  await keyboard.type("Something else.");
  await keyboard.press("Escape");
  expect((await texts(page))[2]).toBe("A long story.");
  await page.getByRole("button", { name: "Edit" }).last().press("Enter");
  await keyboard.press("Control+A");
  await keyboard.type("Short, please.");
  await keyboard.press("Enter");
  await isDone(page, [...first, "Short, please.", answerTo("Short, please.", 3)]);
  expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("Typed meanwhile");
});

test.concurrent("everything can be reached with Tab, shows that it has the focus, and has a name", async (context) => {
  const { server, tab } = await place(context, memory);
  const page = await tab(await server({ delayMs: 1 }));
  await send(page, "Hello.");
  await isDone(page, ["Hello.", answerTo("Hello.", 1)]);
  await hasTitles(page, ["Hello."]);
  const reached = await tabStops(page);
  expect(reached.map(({ name }) => name)).toEqual([
    "New chat",
    "Hello.",
    "Rename Hello.",
    "Delete Hello.",
    "Use the dark theme",
    "Edit",
    "Regenerate",
    "Message",
  ]);
  for (const { name, isShown } of reached) expect([name, isShown]).toEqual([name, true]);
  await click(page, "Rename Hello.");
  await context.expect
    .poll(async () => (await tabStops(page)).map(({ name }) => name))
    .toEqual(expect.arrayContaining(["Title", "Save the title", "Keep the title"]));
});

test.concurrent("the list of chats, a rename and a deletion need no mouse, and the focus is never lost", async (context) => {
  const { server, tab } = await place(context, memory);
  const page = await tab(await server({ delayMs: 1 }), "a");
  const { keyboard } = page;
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await send(page, "First.");
  await isDone(page, ["First.", answerTo("First.", 1)]);
  await page.getByRole("button", { name: "New chat" }).press("Enter");
  await isDone(page, []);
  expect(await focused()).toBe("Message");
  await keyboard.type("Second.");
  await keyboard.press("Enter");
  await isDone(page, ["Second.", answerTo("Second.", 1)]);
  await hasTitles(page, ["Second.", "First."]);
  await page.getByRole("link", { name: "First." }).press("Enter");
  await isDone(page, ["First.", answerTo("First.", 1)]);
  expect(await page.getByRole("link", { name: "First." }).getAttribute("aria-current")).toBe("page");
  await page.goBack();
  await isDone(page, ["Second.", answerTo("Second.", 1)]);
  await page.getByRole("button", { name: "Rename First." }).press("Enter");
  await keyboard.type("Renamed");
  await keyboard.press("Enter");
  await context.expect.poll(focused).toBe("Rename Renamed");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await hasTitles(page, ["Second."]);
  await context.expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("New chat");
});

test.concurrent("a long story is followed to its end, unless its reader has scrolled away", async (context) => {
  const { server, tab } = await place(context, memory, { viewport: { width: 900, height: 300 } });
  const page = await tab(await server({ delayMs: 15 }));
  const distance = (): Promise<number> =>
    page
      .locator(".scroll")
      .evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
        Math.round(scrollHeight - scrollTop - clientHeight),
      );
  await send(page, "A long story.");
  await midStory(page, "Night 5.");
  await context.expect.poll(distance).toBeLessThan(40);
  await page.locator(".scroll").hover();
  await page.mouse.wheel(0, -4000);
  await context.expect.poll(distance).toBeGreaterThan(60);
  const top = (): Promise<number> => page.locator(".scroll").evaluate(({ scrollTop }) => scrollTop);
  await says(page, "Night 7.");
  const leftAt = await top();
  await says(page, "Night 8.");
  expect(await top()).toBe(leftAt);
  await page.keyboard.press("Escape");
  await hasStatus(page, "ready");
});
