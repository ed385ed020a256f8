import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { luaDictionary } from "../keys/fields.js";

/** A script that the server runs. */
export interface Script {
  readonly lua: string;
  /** What the server knows it by once it has seen it. */
  readonly sha: string;
}

/**
 * A script of files in `commands/`, one behind the other, after the dictionary and what all of them need. They are files and not strings in
 * code, so that they can be read, linted and tried out as what they are.
 */
export function scriptOf(...files: readonly string[]): Script {
  const parts = ["server.lua", ...files].map((file) =>
    readFileSync(new URL(`../commands/${file}`, import.meta.url), "utf8"),
  );
  const script = parts.join("\n");
  const lua = `${luaDictionary(script)}\n${script}`;
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}
