import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A real browser: the one in CHROMIUM_BIN, on the PATH, or where `npm test` keeps one. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: program(), args: FLAGS, headless: true, timeout: 120_000 });
}

function program(): string {
  const named = process.env["CHROMIUM_BIN"] ?? "";
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const kept = join(import.meta.dirname, "../../../.tools/chromium/chromium");
  const found = [...folders.map((folder) => join(folder, "chromium")), kept].find((path) => existsSync(path));
  const path = named === "" ? found : named;
  if (path === undefined)
    throw new Error("There is no Chromium. `npm test` gets one; or name one in CHROMIUM_BIN.");
  return path;
}
