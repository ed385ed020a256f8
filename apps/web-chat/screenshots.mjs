/** The screenshots of this app, for `npm run screenshots`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { saveMessages } from "@sessions/ai-sdk";
import { openJsonFileStore } from "@sessions/json-file";
import { chromium } from "playwright-core";

const SHOWN = "lighthouse-lights";
const QUESTION = "Why does every lighthouse flash differently?";

/** Chats with their titles, the oldest first. */
const CHATS = [
  [
    "boat-names",
    "Names for a small boat",
    ["Names for a small sailing boat?", "Kittiwake, Halfpenny, Second Wind."],
  ],
  [
    "rain",
    "Packing for the rain",
    ["What do I pack for three days of rain?", "Two pairs of shoes, and dry socks."],
  ],
  [
    "tides",
    "Why two tides a day?",
    ["Why are there two tides a day?", "The Earth turns under two bulges of water."],
  ],
  [
    "fresnel",
    "How a Fresnel lens works",
    ["How does a Fresnel lens work?", "It is a thick lens, cut into rings."],
  ],
  [
    SHOWN,
    QUESTION,
    [
      QUESTION,
      "So that a sailor at night can tell them apart. A light alone says that there is a coast; its rhythm says which one.\n\nCharts print the rhythm beside each light: how many flashes, in which colour, and how many seconds until it begins again. Count the seconds, look at the chart, and you know where you are.",
      "And by day?",
      "By day it is the tower itself: stripes, bands, a red lantern, a shape like no other one along that shore. The charts have those too.",
    ],
  ],
];

/** A laptop, and a phone whose screen has three pixels for two of the page. */
const LAPTOP = { viewport: { width: 1200, height: 750 } };
const PHONE = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 1.5,
  isMobile: true,
  hasTouch: true,
};

export async function takeScreenshots({ data, env, save }) {
  await writeChats(data);
  const server = await startServer(data, env);
  const browser = await chromium.launch({ executablePath: env.CHROMIUM_BIN });
  try {
    const open = (options, chat) => openPage(browser, options, `${server.url}?chat=${chat}`);
    const light = await open({ ...LAPTOP, colorScheme: "light" }, SHOWN);
    await light.getByRole("button", { name: "Regenerate" }).waitFor();
    await light.getByText("Names for a small boat").waitFor();
    await picturesShown(light);
    await save("light", await light.screenshot());

    const dark = await open({ ...LAPTOP, colorScheme: "dark" }, "story");
    await dark.getByRole("button", { name: "Tell me a long story." }).click();
    await dark.getByText("Night 8.").waitFor();
    await picturesShown(dark);
    await save("dark", await dark.screenshot());
    await dark.keyboard.press("Escape");

    const phone = await open({ ...PHONE, colorScheme: "light" }, "story");
    await phone.getByRole("button", { name: "Retry" }).waitFor();
    await save("phone", await phone.screenshot());
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The list shows the chat that changed last first, so they are written one after the other. */
async function writeChats(root) {
  const store = await openJsonFileStore({ root });
  for (const [id, title, texts] of CHATS) {
    const messages = texts.map((text, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      parts: [{ type: "text", text }],
    }));
    await saveMessages(store, id, messages);
    await store.patchSession(id, { title });
  }
  await store.close();
}

async function startServer(data, env) {
  const main = fileURLToPath(new URL("dist/main.js", import.meta.url));
  const args = [main, "--port", "0", "--data", data];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, stop };
  }
  throw new Error("The server did not start.");
}

/** Without animations: a picture shows a mark that blinks, and not by chance none. */
async function openPage(browser, options, url) {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel("Message", { exact: true }).waitFor();
  return page;
}

async function picturesShown(page) {
  await page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
}
