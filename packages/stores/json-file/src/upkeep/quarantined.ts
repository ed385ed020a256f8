import { join, resolve } from "node:path";
import { requireOptions } from "@sessions/protocol/backend";
import { nodeFileSystem } from "../engine/node-file-system.js";

/** What repairs have put away. */
export interface Quarantine {
  /** The folder that it is in. */
  readonly folder: string;
  /** The names in it: a folder for each damaged session that was copied or moved there. */
  readonly entries: readonly string[];
}

/** What lies in the quarantine of a store. Nothing reads it; it is kept until somebody removes it. */
export function quarantined(options: { readonly root: string }): Quarantine {
  const { root } = requireOptions(options, { root: "text" });
  const folder = join(resolve(root), "quarantine");
  return { folder, entries: nodeFileSystem({ folder: 0o700, file: 0o600 }).list(folder) };
}
