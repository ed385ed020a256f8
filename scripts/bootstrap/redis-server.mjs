import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../root.mjs";
import { fetchDebianProgram } from "./fetch-debian-program.mjs";
import { fillOnce } from "./fill-once.mjs";

const names = ["redis-server", "valkey-server"];
const oldest = [6, 2];
const debian = {
  name: "redis-server",
  package: "redis-server",
  path: "usr/bin/redis-server",
  otherWays: "Install redis-server 6.2 or newer, or name one in REDIS_SERVER_BIN.",
};

/**
 * The program that tests start their servers from: `REDIS_SERVER_BIN`, one on the PATH, or Debian's, unpacked
 * once into `.tools/redis`. Nothing is installed on the machine, and no service is started or touched.
 */
export async function redisServer(say, env = process.env, tools = join(root, ".tools")) {
  const named = env.REDIS_SERVER_BIN;
  if (named) return checked(named);
  const onPath = candidates(env).find((path) => existsSync(path) && problemOf(path) === undefined);
  if (onPath) return onPath;
  const folder = join(tools, "redis");
  await fillOnce(tools, folder, async (partial) => {
    say("getting redis-server");
    await fetchDebianProgram(partial, env, debian);
    checked(join(partial, "redis-server"));
  });
  return checked(join(folder, "redis-server"));
}

function candidates(env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function checked(path) {
  const problem = problemOf(path);
  if (problem) throw new Error(`${path} cannot be used for the tests: ${problem}`);
  return path;
}

/** Why a program is not a server that is new enough; `undefined` if it is one. */
function problemOf(path) {
  const { error, stdout, stderr } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (error) return error.message;
  const version = /\bserver v=(\d+)\.(\d+)/.exec(stdout);
  if (!version) return `it does not say that it is a Redis server, but: ${stdout}${stderr}`;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const old = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return old ? `it is version ${major}.${minor}, and ${oldest.join(".")} is the oldest` : undefined;
}
