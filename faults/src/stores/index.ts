import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Every store that `--store` knows by name: a module that exports what `FaultyStore` says. */
const stores: Readonly<Record<string, URL>> = {
  "json-file": new URL("./json-file.js", import.meta.url),
  sqlite: new URL("./sqlite.js", import.meta.url),
};

export const storeNames: readonly string[] = Object.keys(stores);

/** The module of a named store, or of a path. */
export function storeModule(nameOrPath: string): string {
  const named = Object.hasOwn(stores, nameOrPath) ? stores[nameOrPath] : undefined;
  if (named !== undefined) return named.href;
  if (/\.[cm]?js$/.test(nameOrPath)) return pathToFileURL(resolve(nameOrPath)).href;
  throw new Error(`--store: "${nameOrPath}" is none of ${storeNames.join(", ")}, and no path of a module`);
}
