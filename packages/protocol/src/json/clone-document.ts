import { type ClonedJson, cloneJson } from "./clone-json.js";
import { MAX_DOCUMENT_DEPTH } from "./max-json-depth.js";

/** A deep copy of what holds messages and metadata some levels down: they may be nested as deeply there as anywhere. */
export function cloneDocument(value: unknown, path: string, maxBytes?: number): ClonedJson {
  return cloneJson(value, path, maxBytes, MAX_DOCUMENT_DEPTH);
}
