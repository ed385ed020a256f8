import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { suggestion } from "@sessions/protocol/integration";
import type { SessionsConfig } from "./define-config.js";
import { foldersUp } from "./folders-up.js";
import { invalid } from "./invalid.js";

const NAMES = ["sessions.config.ts", "sessions.config.js", "sessions.config.json"];
const KEYS = ["$schema", "store", "stores"];

/** The nearest config file, in this folder or in one above it, or `undefined`. */
export function findConfigFile(from: string): string | undefined {
  for (const folder of foldersUp(from)) {
    const [file, second] = NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));
    if (file !== undefined && second !== undefined)
      throw invalid(folder, `holds both ${basename(file)} and ${basename(second)}. Keep one of them.`);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Reads a config file and checks it. */
export async function readConfigFile(file: string): Promise<SessionsConfig> {
  const config = await loaded(file);
  if (isConfig(config, file)) return config;
  throw invalid(file, 'must export an object such as { store: "file:./sessions" }.');
}

async function loaded(file: string): Promise<unknown> {
  try {
    if (file.endsWith(".json")) return JSON.parse(await readFile(file, "utf8"));
    if (file.endsWith(".ts")) return await typeScript(file);
    const module: { readonly default?: unknown } = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ pathToFileURL(file).href
    );
    return module.default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(file, `cannot be read: ${reason}`, error);
  }
}

/** Loads a TypeScript config, which Node 20 cannot. The config may import this package even if its project does not have it. */
async function typeScript(file: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const alias = { "@sessions/config": fileURLToPath(new URL("./index.js", import.meta.url)) };
  const jiti = createJiti(pathToFileURL(file).href, { alias, fsCache: false });
  return jiti.import(file, { default: true });
}

// Returns true, false for a value that is no object, or throws. It is a type predicate so that the compiler knows what was checked.
function isConfig(value: unknown, file: string): value is SessionsConfig {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const name = basename(file);
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw invalid(
      `${name}: ${unknown}`,
      `is not a setting.${suggestion(unknown, KEYS) || ` There are ${KEYS.join(", ")}.`}`,
    );
  if (!("store" in value))
    throw invalid(`${name}: store`, 'is missing. Write, for example, "store": "file:./sessions".');
  if ("stores" in value && !Array.isArray(value.stores))
    throw invalid(`${name}: stores`, "must be a list of kinds of store.");
  return true;
}
