import { basename, dirname } from "node:path";
import { findConfigFile, readConfigFile } from "./config-file.js";
import type { StoreKind } from "./store-kind.js";
import type { StoreTarget } from "./store-target.js";

/** Where somebody said which store, and what they said. */
export interface FoundTarget {
  readonly target: StoreTarget;
  /** Where relative paths in it begin. */
  readonly base: string;
  /** Leads there in messages: `target`, `SESSIONS_STORE`, `sessions.config.json: store`. */
  readonly path: string;
  /** In words, for people. */
  readonly source: string;
  readonly stores: readonly StoreKind[];
  /** Nobody said anything. */
  readonly isDefault: boolean;
}

/** The folder that is used when nobody says which. */
export const DEFAULT_TARGET = "file:./sessions";

/** What was given; else SESSIONS_STORE; else the nearest config file; else the default. */
export async function findTarget(
  given: StoreTarget | undefined,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundTarget> {
  const here = { base: cwd, stores: [], isDefault: false };
  if (given !== undefined) return { ...here, target: given, path: "target", source: "given" };
  const variable = env["SESSIONS_STORE"] ?? "";
  if (variable !== "")
    return { ...here, target: variable, path: "SESSIONS_STORE", source: "from SESSIONS_STORE" };
  const file = findConfigFile(cwd);
  if (file === undefined) {
    return { ...here, target: DEFAULT_TARGET, path: "target", source: "the default", isDefault: true };
  }
  const { store, stores = [] } = await readConfigFile(file);
  const path = `${basename(file)}: store`;
  return { target: store, base: dirname(file), path, source: `from ${file}`, stores, isDefault: false };
}
