import { delimiter } from "node:path";

/**
 * npm passes its settings to scripts as variables, which pnpm reads as its own. These ones say where and how to
 * fetch packages.
 */
const aboutFetching =
  /^npm_config_(.*registry|https?_proxy|proxy|noproxy|ca|cafile|strict_ssl|userconfig|nodedir|store_dir|fetch_.*|\/\/.*)$/i;

/**
 * Variables for remote caches, forced runs and the like: a run must depend on the checkout and not on turbo settings
 * of the user.
 */
const othersSettings = /^(npm_|INIT_CWD$|TURBO_)/i;

/** The environment for pnpm and turbo: that of the caller, without the settings of npm and turbo. */
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
