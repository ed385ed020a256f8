import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chromium } from "../bootstrap/chromium.mjs";
import { plant } from "./plant.mjs";

/** A folder with a program that says this of itself. */
function plantProgram(name, says) {
  const folder = plant({ [name]: `#!/bin/sh\necho "${says}"\n` });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

describe("the browser for the tests is", () => {
  test("the browser is the one that CHROMIUM_BIN names, before one on the PATH", async () => {
    const named = join(plantProgram("mine", "Chromium 150.0"), "mine");
    const env = { CHROMIUM_BIN: named, PATH: plantProgram("chromium", "Chromium 149.0") };
    expect(await chromium(() => undefined, env, plant({}))).toBe(named);
  });

  test("the browser is one on the PATH, and a program that is no browser is skipped", async () => {
    const [other, real] = [
      plantProgram("chromium", "a game"),
      plantProgram("chromium-browser", "Chromium 150.0"),
    ];
    const found = await chromium(() => undefined, { PATH: `${other}:${real}` }, plant({}));
    expect(found).toBe(join(real, "chromium-browser"));
  });

  test("a browser that CHROMIUM_BIN names and that does not work is an error", async () => {
    const env = { CHROMIUM_BIN: "/nowhere/chromium", PATH: plantProgram("chromium", "Chromium 150.0") };
    await expect(chromium(() => undefined, env, plant({}))).rejects.toThrow(
      "/nowhere/chromium cannot be used for the tests",
    );
  });

  test("an error says that there is no browser and none can be fetched", async () => {
    const fetching = chromium(() => undefined, { PATH: plant({}) }, plant({}));
    await expect(fetching).rejects.toThrow(
      "The tests need a chromium, and there is no apt-get to get it with. Install Chromium, or name one in CHROMIUM_BIN.",
    );
  });
});
