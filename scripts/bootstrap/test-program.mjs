import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../root.mjs";
import { fetchDebianProgram } from "./fetch-debian-program.mjs";
import { fillOnce } from "./fill-once.mjs";

/**
 * A program that tests start: the one that the environment names in `variable`, one of these `names` on the
 * PATH, or Debian's, unpacked once into `folder` of `.tools`. Nothing is installed on the machine.
 * `problemIn(output)` says what is wrong with a program that answers this to `--version`.
 */
export async function testProgram(wanted, say, env = process.env, tools = join(root, ".tools")) {
  const { variable, names, debian, problemIn } = wanted;
  const named = env[variable];
  if (named) return checked(named, problemIn);
  const onPath = candidates(names, env).find(
    (path) => existsSync(path) && problemOf(path, problemIn) === undefined,
  );
  if (onPath) return onPath;
  const folder = join(tools, wanted.folder);
  await fillOnce(tools, folder, async (partial) => {
    say(`getting ${debian.name}`);
    await fetchDebianProgram(partial, env, debian);
    checked(join(partial, debian.name), problemIn);
  });
  return checked(join(folder, debian.name), problemIn);
}

function candidates(names, env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function checked(path, problemIn) {
  const problem = problemOf(path, problemIn);
  if (problem) throw new Error(`${path} cannot be used for the tests: ${problem}`);
  return path;
}

function problemOf(path, problemIn) {
  const { error, stdout, stderr } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return error ? error.message : problemIn(`${stdout}${stderr}`);
}
