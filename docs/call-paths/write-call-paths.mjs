/** Writes the call paths into docs/architecture.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { page, withCallPaths } from "./call-paths.mjs";

writeFileSync(page, withCallPaths(readFileSync(page, "utf8")));
