import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type OpenBackend, openBackend, opening, type StoreModules } from "./open-backend.js";
import type { Twin } from "./twins.js";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

const DIST: string = join(PACKAGE, "dist");

/** Where altered copies of `dist/` are: in the package, so that they find what it depends on. */
const COPIES: string = join(PACKAGE, ".twins");

/** Opens the broken variant as `openBackend` opens the store. */
export async function openTwin(twin: Twin): Promise<OpenBackend> {
  if ("on" in twin) return (fileSystem, options) => openBackend(twin.on(fileSystem), options);
  const folder = join(COPIES, twin.name.replaceAll(/\W+/g, "-"));
  await mkdir(folder, { recursive: true });
  for (const file of await readdir(DIST, { recursive: true })) {
    if (!file.endsWith(".js")) continue;
    const text = await readFile(join(DIST, file), "utf8");
    const copy = file === twin.file ? altered(text, twin) : text;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), copy.replace(/\/\/# sourceMappingURL.*/, ""));
  }
  const built = (file: string): string => pathToFileURL(join(folder, file)).href;
  const backend: StoreModules["backend"] = await import(built("json-file-backend.js"));
  const context: StoreModules["context"] = await import(built("json-file-context.js"));
  return opening({ backend, context });
}

export async function removeTwins(): Promise<void> {
  await rm(COPIES, { recursive: true, force: true });
}

function altered(
  text: string,
  { file, find, replace }: { readonly file: string; readonly find: string; readonly replace: string },
): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`dist/${file} has the text ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
