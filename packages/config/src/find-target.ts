import { basename, dirname } from "node:path";
import { findConfigFile, readConfigFile } from "./config-file.js";
import type { StoreKind } from "./store-kind.js";
import type { StoreTarget } from "./store-target.js";

/** A target, and where it was set. */
export interface FoundTarget {
  readonly target: StoreTarget;
  /** The folder for its relative paths. */
  readonly base: string;
  /** Its path in messages: the name of the argument, `SESSIONS_STORE`, `sessions.config.json: store`. */
  readonly path: string;
  /** The origin as text for users. */
  readonly source: string;
  readonly stores: readonly StoreKind[];
  /** Whether no target is set. */
  readonly isDefault: boolean;
}

/** The store if no target is set. */
export const DEFAULT_TARGET = "file:./sessions";

/** Finds the target: the argument, else SESSIONS_STORE, else the nearest config file, else the default. */
export async function findTarget(
  given: StoreTarget | undefined,
  name: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundTarget> {
  const here = { base: cwd, stores: [], isDefault: false };
  if (given !== undefined) return { ...here, target: given, path: name, source: "given" };
  const variable = env["SESSIONS_STORE"] ?? "";
  if (variable !== "")
    return { ...here, target: variable, path: "SESSIONS_STORE", source: "from SESSIONS_STORE" };
  const file = findConfigFile(cwd);
  if (file === undefined) {
    return { ...here, target: DEFAULT_TARGET, path: name, source: "the default", isDefault: true };
  }
  const { store, stores = [] } = await readConfigFile(file);
  const path = `${basename(file)}: store`;
  return { target: store, base: dirname(file), path, source: `from ${file}`, stores, isDefault: false };
}
