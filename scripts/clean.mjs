/**
 * Removes folders of the present package before a build, so that no output of a deleted source is ever
 * published.
 */
import { rmSync } from "node:fs";

for (const folder of process.argv.slice(2)) rmSync(folder, { recursive: true, force: true });
