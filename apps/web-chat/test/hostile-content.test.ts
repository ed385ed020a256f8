import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveMessages } from "@sessions/ai-sdk";
import { openJsonFileStore } from "@sessions/json-file";
import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { click, hasTitles, isDone, placesInBrowser, send, texts } from "./place.js";

const place = placesInBrowser();

const SCRIPTS = [
  "<img src=x onerror=\"document.title='run'; window.hasRun = 1\">",
  "<script>window.hasRun = 1</script><svg onload=window.hasRun=1>",
  "</textarea></title><iframe srcdoc='<script>parent.hasRun=1</script>'></iframe>",
  "[link](javascript:window.hasRun=1) ![image](http://elsewhere.example/x.png)",
  "{{constructor.constructor('window.hasRun=1')()}} \u202Etxt.exe\u0000\u2028\uD800",
];

test("hostile messages, titles and chat ids are shown as text: nothing runs and nothing is requested", async (context) => {
  const data = await mkdtemp(join(tmpdir(), "web-chat-hostile-"));
  context.onTestFinished(() => rm(data, { recursive: true, force: true }));
  const id = "\"><img src=x onerror='window.hasRun=1'>/../?&#%41";
  const text = SCRIPTS.join("\n");
  {
    await using store = await openJsonFileStore({ root: data });
    const messages: UIMessage[] = [
      { id: "javascript:window.hasRun=1", role: "user", parts: [{ type: "text", text }] },
      {
        id: "m2",
        role: "assistant",
        metadata: { dangerouslySetInnerHTML: { __html: SCRIPTS[0] } },
        parts: [
          { type: "text", text },
          { type: "reasoning", text },
          { type: "file", mediaType: "text/html", url: `data:text/html,${SCRIPTS[1]}` },
          { type: "file", mediaType: "image/png", url: "http://elsewhere.example/image.png" },
          { type: "source-url", sourceId: "s", url: "javascript:window.hasRun=1", title: text },
          { type: "data-html", data: { __html: SCRIPTS[0] } },
        ],
      },
    ];
    await saveMessages(store, id, messages);
    await store.patchSession(id, { title: text });
  }
  const { server, tab } = await place(context, () => `file:${data}`);
  const one = await server({ delayMs: 1 });
  const page = await tab(one, id);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("dialog", () => expect.unreachable("A script opened a dialog."));
  const nothingRan = async (): Promise<void> => {
    expect(await page.evaluate(() => "hasRun" in window)).toBe(false);
    expect(await page.locator("article :is(img, script, iframe, a, svg[onload])").count()).toBe(0);
    expect(await page.locator("iframe, script:not([src='/page.js'])").count()).toBe(0);
    expect(requested.filter((url) => !url.startsWith(one.url))).toEqual([]);
  };
  // A lone surrogate is no character: the browser shows U+FFFD for it.
  const shown = text.replace("\uD800", "\uFFFD");
  await isDone(
    page,
    [shown, shown].map((each) => each.replace("\uFFFD", "\uD800")),
  );
  await nothingRan();
  await page.reload();
  await page.getByRole("heading", { level: 1 }).filter({ hasText: "onerror" }).waitFor();
  await nothingRan();
  // The same from the page itself: sent, made a title, edited, renamed and shown before it is deleted.
  const hostile = SCRIPTS[0] ?? "";
  await click(page, "New chat");
  await send(page, hostile);
  await isDone(page, [hostile, `You said "${hostile}". That was message 1.`]);
  await nothingRan();
  await click(page, "Edit");
  await click(page, "Cancel");
  await page.getByRole("navigation").getByRole("link").nth(1).waitFor(); // the new chat is above the old one
  await page.getByRole("button", { name: "Rename" }).first().click();
  await page.getByLabel("Title", { exact: true }).fill(SCRIPTS[1] ?? "");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).filter({ hasText: "onload" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).first().click();
  await page.getByRole("dialog").getByText("onload").waitFor();
  await nothingRan();
  await click(page, "Delete");
  await isDone(page, []);
  expect(await texts(page)).toEqual([]);
  await hasTitles(page, [shown.replace("\uFFFD", "\uD800")]);
  await nothingRan();
});

test("the policy of the page forbids inline code, code from elsewhere, and to embed it", async (context) => {
  const { server, tab } = await place(context, () => "memory:");
  const page = await tab(await server());
  const policy = await page.evaluate(async () => (await fetch("/")).headers.get("content-security-policy"));
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
  // As if a text had become markup after all.
  const hasRun = await page.evaluate(async () => {
    const violated = new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", resolve, { once: true });
    });
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hasRun = 1'>");
    await violated;
    return "hasRun" in window;
  });
  expect(hasRun).toBe(false);
});
