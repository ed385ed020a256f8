import { saveMessages } from "@sessions/ai-sdk";
import { openJsonFileStore } from "@sessions/json-file";
import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import {
  click,
  hasStatus,
  hasTitles,
  isDone,
  lastText,
  midStory,
  placesInBrowser,
  send,
  texts,
} from "./place.js";

const place = placesInBrowser();
const folder = (data: string): string => `file:${data}/chats`;
const answerTo = (text: string, count: number): string => `You said "${text}". That was message ${count}.`;

test.concurrent("while the server is away nothing can be sent, what is written stays, and it can be sent when the server is back", async (context) => {
  const { server, tab } = await place(context, folder);
  const killed = await server({ delayMs: 1 });
  const page = await tab(killed);
  await send(page, "Before.");
  await isDone(page, ["Before.", answerTo("Before.", 1)]);
  await hasTitles(page, ["Before."]);
  await killed.kill();
  await page.getByText("Reconnecting…").waitFor();
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("Written meanwhile.");
  await field.press("Enter");
  expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
  expect(await texts(page)).toHaveLength(2);
  await click(page, "Delete Before.");
  await click(page, "Delete");
  await page.getByRole("alert").getByText("The chat was not deleted: the server does not answer.").waitFor();
  await click(page, "Dismiss");
  await server({ port: killed.port, delayMs: 1 });
  await page.getByText("The server is back.").waitFor();
  expect(await field.inputValue()).toBe("Written meanwhile.");
  await click(page, "Send");
  const all = ["Before.", answerTo("Before.", 1), "Written meanwhile.", answerTo("Written meanwhile.", 3)];
  await isDone(page, all);
});

test.concurrent("a question that never reached the server comes back into the field", async (context) => {
  const { server, tab } = await place(context, folder);
  const one = await server({ delayMs: 1 });
  const page = await tab(one);
  await send(page, "Before.");
  await isDone(page, ["Before.", answerTo("Before.", 1)]);
  await page.route("**/api/chat", (route) => route.abort("connectionreset"));
  await send(page, "Lost on the way.");
  const field = page.getByLabel("Message", { exact: true });
  await context.expect.poll(() => field.inputValue()).toBe("Lost on the way.");
  await isDone(page, ["Before.", answerTo("Before.", 1)]);
  await page.unroute("**/api/chat");
  await click(page, "Send");
  await isDone(page, [
    "Before.",
    answerTo("Before.", 1),
    "Lost on the way.",
    answerTo("Lost on the way.", 3),
  ]);
});

test.concurrent("a page follows what other tabs do in its chat, and its user keeps what is being written", async (context) => {
  const { server, tab } = await place(context, folder);
  const [one, two] = [await server({ delayMs: 15 }), await server({ delayMs: 15 })];
  const [first, second] = [await tab(one), await tab(two)];
  const field = second.getByLabel("Message", { exact: true });
  await field.fill("Not sent yet");
  await send(first, "Hello.");
  await isDone(second, ["Hello.", answerTo("Hello.", 1)]);
  await send(first, "A long story.");
  await midStory(second, "Night 2.");
  await hasTitles(second, ["Hello."]);
  await second.getByRole("navigation").getByRole("img", { name: "Answering" }).waitFor();
  await click(first, "New chat"); // the page that asked leaves; the answer goes on
  await isDone(first, []);
  await midStory(second, "Night 4.");
  await second.getByLabel("Message", { exact: true }).press("Escape");
  await hasStatus(second, "ready");
  expect(await lastText(second)).toContain("Night 4.");
  await second.getByRole("navigation").getByRole("img", { name: "Answering" }).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Not sent yet");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
});

test.concurrent("a chat of more than 1 MiB goes on, and a message of more than that is refused with a sentence", async (context) => {
  const { server, tab, data } = await place(context, folder);
  {
    await using store = await openJsonFileStore({ root: `${data}/chats` });
    const large = { type: "data-large", data: "x".repeat(600_000) } as const;
    const messages = ["m1", "m2"].map((id): UIMessage => ({ id, role: "user", parts: [large] }));
    await saveMessages(store, "c1", messages);
  }
  const page = await tab(await server({ delayMs: 1 }));
  await send(page, "And now?");
  await isDone(page, ["", "", "And now?", answerTo("And now?", 3)]);
  await send(page, "y".repeat(1_100_000));
  await page.getByRole("alert").getByText("No answer: A request has at most").waitFor();
});
