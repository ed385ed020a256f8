import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cCompiler } from "../bootstrap/c-compiler.mjs";
import { plant } from "./plant.mjs";

/** A folder with a program that says this of itself. */
function plantProgram(name, says) {
  const folder = plant({ [name]: `#!/bin/sh\necho "${says}"\n` });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

describe("the C compiler for the tests is", () => {
  test("the C compiler is the one that CC names, before one on the PATH", async () => {
    const named = join(plantProgram("mine", "clang version 19.0"), "mine");
    const env = { CC: named, PATH: plantProgram("cc", "gcc (Debian) 12.2.0") };
    expect(await cCompiler(() => undefined, env, plant({}))).toBe(named);
  });

  test("the C compiler is one on the PATH, and a program of that name that is no compiler is skipped", async () => {
    const [other, real] = [plantProgram("cc", "credit cards"), plantProgram("tcc", "tcc version 0.9.27")];
    const found = await cCompiler(() => undefined, { PATH: `${other}:${real}` }, plant({}));
    expect(found).toBe(join(real, "tcc"));
  });

  test("a C compiler that CC names and that does not work is an error", async () => {
    const env = { CC: "/nowhere/cc", PATH: plantProgram("cc", "gcc (Debian) 12.2.0") };
    await expect(cCompiler(() => undefined, env, plant({}))).rejects.toThrow(
      "/nowhere/cc cannot be used for the tests",
    );
  });

  test("an error says that there is no C compiler and none can be fetched", async () => {
    const fetching = cCompiler(() => undefined, { PATH: plant({}) }, plant({}));
    await expect(fetching).rejects.toThrow(
      "The tests need a tcc, and there is no apt-get to get it with. Install a C compiler, or name one in CC.",
    );
  });
});
