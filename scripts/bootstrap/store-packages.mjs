import { workspacePackages } from "../workspace.mjs";
import { neededPackages } from "./needed-packages.mjs";

/** The packages of the stores, by what their URLs begin with. */
const packages = [
  [/^file:/i, "@sessions/json-file"],
  [/^sqlite:/i, "@sessions/sqlite"],
  [/^memory:/i, "@sessions/memory"],
  [/^rediss?[+:]/i, "@sessions/redis"],
];

/**
 * The workspace packages that an app needs for the store that it is told to use: an app depends on the store that it
 * uses by itself, and opens any other at run time. None if nobody names one.
 */
export function storePackages(args, env, top) {
  const at = args.indexOf("--store");
  const given = at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith("--store="))?.slice(8);
  const url = given ?? env.SESSIONS_STORE ?? "";
  const [, name] = packages.find(([scheme]) => scheme.test(url)) ?? [];
  const isHere = workspacePackages(top).some(({ manifest }) => manifest.name === name);
  return isHere ? neededPackages(name, top) : [];
}
