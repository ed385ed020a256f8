import { testProgram } from "./test-program.mjs";

const oldest = [6, 2];
const wanted = {
  variable: "REDIS_SERVER_BIN",
  names: ["redis-server", "valkey-server"],
  folder: "redis",
  debian: {
    name: "redis-server",
    package: "redis-server",
    path: "usr/bin/redis-server",
    otherWays: "Install redis-server 6.2 or newer, or name one in REDIS_SERVER_BIN.",
  },
  problemIn,
};

/** The program that tests start their servers from. No service is started or touched. */
export function redisServer(say, env, tools) {
  return testProgram(wanted, say, env, tools);
}

function problemIn(output) {
  const version = /\bserver v=(\d+)\.(\d+)/.exec(output);
  if (!version) return `it does not say that it is a Redis server, but: ${output}`;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const old = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return old ? `it is version ${major}.${minor}, and ${oldest.join(".")} is the oldest` : undefined;
}
