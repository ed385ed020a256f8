import { cCompiler } from "./c-compiler.mjs";
import { childEnvironment } from "./child-environment.mjs";
import { chromium } from "./chromium.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { pinnedPnpm } from "./pinned-pnpm.mjs";
import { redisServer } from "./redis-server.mjs";

/**
 * Takes a checkout on a machine with only Node and npm to one where every dependency is installed, or those
 * of the packages in `only`; with `redis`, there is a redis-server too, with `browser` a Chromium, and with `compiler` a C
 * compiler. Answers the environment in which to run what comes next.
 */
export async function bootstrap(
  say,
  { only = [], redis = false, browser = false, compiler = false, onInstalled } = {},
) {
  const pnpm = await pinnedPnpm(say);
  const env = childEnvironment(process.env, pnpm.binFolder);
  if (redis) env.REDIS_SERVER_BIN = await redisServer(say, env);
  if (browser) env.CHROMIUM_BIN = await chromium(say, env);
  if (compiler) env.CC = await cCompiler(say, env);
  say("installing dependencies");
  await installDependencies(pnpm, env, { only, onInstalled });
  return env;
}
