import { delimiter } from "node:path";

/**
 * npm hands its own settings to scripts as variables, and pnpm reads them as its own. These say where and
 * how to fetch.
 */
const aboutFetching =
  /^npm_config_(.*registry|https?_proxy|proxy|noproxy|ca|cafile|strict_ssl|userconfig|nodedir|store_dir|fetch_.*|\/\/.*)$/i;

/**
 * Remote caches, forced runs and the like: a run here depends on the checkout, not on somebody's turbo
 * settings.
 */
const othersSettings = /^(npm_|INIT_CWD$|TURBO_)/i;

/** The environment for pnpm and turbo: the caller's, without what npm or another tool meant for itself. */
export function childEnvironment(env, pnpmBinFolder) {
  const kept = Object.entries(env).filter(([name]) => aboutFetching.test(name) || !othersSettings.test(name));
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return {
    ...Object.fromEntries(kept),
    [pathName]: [pnpmBinFolder, env[pathName]].filter(Boolean).join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    DO_NOT_TRACK: "1",
  };
}
