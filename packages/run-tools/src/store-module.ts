import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The URL of the module that `--store` selects: by a name in `modules`, or by a path. */
export function storeModule(modules: Readonly<Record<string, URL>>, nameOrPath: string): string {
  const named = Object.hasOwn(modules, nameOrPath) ? modules[nameOrPath] : undefined;
  if (named !== undefined) return named.href;
  if (/\.[cm]?js$/.test(nameOrPath)) return pathToFileURL(resolve(nameOrPath)).href;
  const names = Object.keys(modules).join(", ");
  throw new Error(`--store: "${nameOrPath}" is none of ${names}, and no path of a module`);
}
