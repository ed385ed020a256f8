import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bootstrap } from "../bootstrap/bootstrap.mjs";
import { neededPackages } from "../bootstrap/needed-packages.mjs";
import { storePackages } from "../bootstrap/store-packages.mjs";
import { root } from "../root.mjs";
import { failureLog } from "./failure-log.mjs";
import { progress } from "./progress.mjs";
import { runTurbo } from "./run-turbo.mjs";
import { leaveStopToOthers } from "./stop.mjs";

/** Builds a workspace app with what it needs, and runs its "main". */
export async function runApp(folder, args, options = {}) {
  await become(await buildApp(folder, args, options), args);
}

/**
 * Builds a workspace app with what it needs. Returns the path of its "main". `alone`: installs and builds nothing else, as
 * "dependencies" has it, and the store that it is told to use. `redis`: it is told of a redis-server. `compiler`: it is told
 * of a C compiler.
 */
export async function buildApp(folder, args, { alone = false, redis = false, compiler = false } = {}) {
  const { name, main } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { say, done } = progress(`preparing ${name}`);
  const needed = () => [...neededPackages(name, root), ...storePackages(args, process.env, root)];
  const only = alone ? [...new Set(needed())] : [];
  const onInstalled = (added, all) => say(`installing dependencies, ${added} of ${all}`);
  const env = await bootstrap(say, { only, redis, compiler, onInstalled });
  say("building");
  const failures = failureLog(await runTurbo(["build"], { env, ...(alone ? { only } : { filter: name }) }));
  done();
  if (failures.length > 0) throw new Error(failures.join("\n"));
  if (redis) process.env.REDIS_SERVER_BIN = env.REDIS_SERVER_BIN;
  if (compiler) process.env.CC = env.CC;
  return join(root, folder, main);
}

/**
 * Runs the app in this process, so that it gets terminal, arguments and signals directly, and ends with this process.
 */
async function become(file, args) {
  leaveStopToOthers();
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href).catch(throwUncaught);
}

/** Outside of the error handling of scripts: Node prints errors of the app with their stack. */
function throwUncaught(error) {
  setImmediate(() => {
    throw error;
  });
}
