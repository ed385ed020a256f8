import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/** The folders of all workspace packages, relative to the top, as pnpm-workspace.yaml lists them. */
export function workspaceFolders(top = root) {
  return patterns(top)
    .flatMap((pattern) => expand(top, pattern))
    .filter((folder) => existsSync(join(top, folder, "package.json")));
}

/** Every workspace package: its folder and its package.json. */
export function workspacePackages(top = root) {
  return workspaceFolders(top).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(top, folder, "package.json"), "utf8")),
  }));
}

/**
 * The lines under "packages:". A plain list of folders is all the YAML that the scripts need to understand.
 */
function patterns(top) {
  const [, list] = /^packages:\n((?: +- .*\n)+)/m.exec(
    readFileSync(join(top, "pnpm-workspace.yaml"), "utf8"),
  );
  return list
    .trim()
    .split("\n")
    .map((line) => line.replace(/^ *- /, ""));
}

function expand(top, pattern) {
  if (!pattern.endsWith("/*")) return [pattern];
  const parent = pattern.slice(0, -2);
  if (!existsSync(join(top, parent))) return [];
  return readdirSync(join(top, parent))
    .sort()
    .map((name) => `${parent}/${name}`);
}
