import { register } from "node:module";

/** Node goes on with a short write by itself. This store does not recognise the rest of it behind another's line. */
const loader = `
const recognises = "!this.#isUnfinished(line, offset, salt) && !this.#isRest(line, offset, salt)";
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/json-file/dist/session/benign-lines.js")) return loaded;
  const source = String(loaded.source);
  if (source.split(recognises).length !== 2) throw new Error("benign-lines.js does not have the text once: " + recognises);
  return { ...loaded, source: source.replace(recognises, "!this.#isUnfinished(line, offset, salt)") };
}`;
register(`data:text/javascript,${encodeURIComponent(loader)}`);

const { open: openJsonFile } = await import("../../dist/stores/json-file.js");

export const open = openJsonFile;
export const interleavesWriters = true;
