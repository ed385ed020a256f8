import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../root.mjs";
import { fetchDebianProgram } from "./fetch-debian-program.mjs";
import { fillOnce } from "./fill-once.mjs";

/** Debian's own starter reads settings of the machine; the program itself needs none. */
const debian = {
  name: "chromium",
  package: "chromium",
  path: "usr/lib/chromium/chromium",
  otherWays: "Install Chromium, or name one in CHROMIUM_BIN.",
};

/**
 * The browser for the tests: `CHROMIUM_BIN`, one on the PATH, or Debian's, unpacked once into
 * `.tools/chromium`. Nothing is installed on the machine.
 */
export async function chromium(say, env = process.env, tools = join(root, ".tools")) {
  const named = env.CHROMIUM_BIN;
  if (named) return checked(named);
  const onPath = candidates(env).find((path) => existsSync(path) && problemOf(path) === undefined);
  if (onPath) return onPath;
  const folder = join(tools, "chromium");
  await fillOnce(tools, folder, async (partial) => {
    say("getting Chromium");
    await fetchDebianProgram(partial, env, debian);
    checked(join(partial, "chromium"));
  });
  return checked(join(folder, "chromium"));
}

function candidates(env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return ["chromium", "chromium-browser"].flatMap((name) => folders.map((folder) => join(folder, name)));
}

function checked(path) {
  const problem = problemOf(path);
  if (problem) throw new Error(`${path} cannot be used for the tests: ${problem}`);
  return path;
}

/** Why a program is no Chromium; `undefined` if it is one. */
function problemOf(path) {
  const { error, stdout, stderr } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (error) return error.message;
  return /\bChrom(e|ium)\b/.test(stdout)
    ? undefined
    : `it does not say that it is Chromium, but: ${stdout}${stderr}`;
}
