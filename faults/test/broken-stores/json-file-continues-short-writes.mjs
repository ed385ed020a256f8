import { readFileSync } from "node:fs";
import { register } from "node:module";

/** Node continues a short write by itself. This store does not recognise the rest of it after a line of another process. */
const MODULE = new URL("./session/benign-lines.js", import.meta.resolve("@sessions/json-file"));
const RECOGNISES = "!this.#isUnfinished(line, offset, salt) && !this.#isRest(line, offset, salt)";
const source = readFileSync(MODULE, "utf8");
if (source.split(RECOGNISES).length !== 2)
  throw new Error(`${MODULE} does not have the text once: ${RECOGNISES}`);
const broken = source.replace(RECOGNISES, "!this.#isUnfinished(line, offset, salt)");

const loader = `
export async function load(url, context, next) {
  if (url !== ${JSON.stringify(MODULE.href)}) return next(url, context);
  return { format: "module", shortCircuit: true, source: ${JSON.stringify(broken)} };
}`;
register(`data:text/javascript,${encodeURIComponent(loader)}`);

const { open: openJsonFile } = await import("../../dist/stores/json-file.js");

export const open = openJsonFile;
export const interleavesWriters = true;
