import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { FORMAT_VERSION } from "./format-version.js";

/** A script that the server runs. */
export interface Script {
  readonly lua: string;
  /** What the server knows it by once it has seen it. */
  readonly sha: string;
}

function script(...files: readonly string[]): Script {
  // Files and not strings in code, so that they can be read, linted and tried out as what they are. They lie beside this module.
  const parts = ["limits.lua", ...files].map((file) =>
    readFileSync(new URL(`./commands/${file}`, import.meta.url), "utf8"),
  );
  const lua = [`local FORMAT, FORMAT_TEXT = ${FORMAT_VERSION}, "${FORMAT_VERSION}"`, ...parts].join("\n");
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

export const LOAD: Script = script("window.lua", "load.lua");
export const APPEND: Script = script("append-plain.lua", "window.lua", "append.lua");
export const COMMIT: Script = script("window.lua", "commit.lua");
export const STAGE: Script = script("window.lua", "stage.lua");
export const PRUNE: Script = script("window.lua", "prune.lua");
export const ENTER: Script = script("window.lua", "enter.lua");
export const LEAVE: Script = script("window.lua", "leave.lua");
export const PROBE: Script = script("window.lua", "probe.lua");
