import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a session takes on the disk: all its segments. Only for ids of small letters and digits, which are folder names. */
export function sessionBytes(root: string, id: string): number {
  const folder = join(root, "sessions", id);
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
