import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The installed version of the package of a module. Some packages do not export their package.json. */
export function versionOf(module: string): string {
  let folder = dirname(require.resolve(module));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return version;
}
