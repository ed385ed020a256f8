import { workspacePackages } from "../workspace.mjs";
import { neededPackages } from "./needed-packages.mjs";

/** The packages of the stores, by the beginning of their URLs. */
const packages = [
  [/^file:/i, "@sessions/json-file"],
  [/^sqlite:/i, "@sessions/sqlite"],
  [/^memory:/i, "@sessions/memory"],
  [/^rediss?[+:]/i, "@sessions/redis"],
];

/**
 * The workspace packages that an app needs for the selected store. An app depends only on its default store, and loads any
 * other at run time. None if no store is selected.
 */
export function storePackages(args, env, top) {
  const at = args.indexOf("--store");
  const given = at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith("--store="))?.slice(8);
  const url = given ?? env.SESSIONS_STORE ?? "";
  const [, name] = packages.find(([scheme]) => scheme.test(url)) ?? [];
  const isHere = workspacePackages(top).some(({ manifest }) => manifest.name === name);
  return isHere ? neededPackages(name, top) : [];
}
