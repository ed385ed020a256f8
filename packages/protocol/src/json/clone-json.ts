import { SessionError } from "../errors/session-error.js";
import type { Json } from "./json.js";
import { CloneTooLarge, JsonCloner, MAX_CONTAINERS } from "./json-cloner.js";
import { jsonPath } from "./json-path.js";
import { MAX_DOCUMENT_DEPTH, MAX_JSON_DEPTH } from "./max-json-depth.js";
import { NotJson } from "./not-json.js";

/** A value that certainly is JSON, and that nobody else can change. */
export interface ClonedJson {
  readonly value: Json;
  /**
   * The length of the value's JSON text in UTF-8. Escaped characters (`\n`, `\"`, lone surrogates) are counted unescaped, so
   * the text may be somewhat longer.
   */
  readonly bytes: number;
}

/**
 * A deep copy of a caller's value. Properties that are `undefined` are dropped, as JSON does. Everything else that JSON would
 * silently change or lose is INVALID_ARGUMENT, with the path to it below `path`.
 *
 * Stops with TOO_LARGE as soon as the copy is longer than `maxBytes`: object graphs can unfold endlessly, and the length of
 * an array can be forged.
 */
export function cloneJson(
  value: unknown,
  path: string,
  maxBytes: number = Number.POSITIVE_INFINITY,
  maxDepth: number = MAX_JSON_DEPTH,
): ClonedJson {
  const cloner = new JsonCloner(maxBytes, maxDepth);
  try {
    const copy = cloner.clone(value);
    cloner.requireFitting();
    return { value: copy, bytes: cloner.bytes };
  } catch (error) {
    const cycle = error instanceof CloneTooLarge ? cloner.cycle() : undefined;
    if (error instanceof CloneTooLarge && cycle === undefined) throw tooLarge(path, error.bytes, maxBytes);
    throw notJson(cycle ?? error, jsonPath(path, cloner.path()));
  }
}

/** The same for a value that contains messages and metadata some levels down: there they may be as deep as anywhere else. */
export function cloneDocument(value: unknown, path: string, maxBytes?: number): ClonedJson {
  return cloneJson(value, path, maxBytes, MAX_DOCUMENT_DEPTH);
}

function tooLarge(path: string, bytes: number | undefined, maxBytes: number): SessionError {
  if (bytes === undefined) {
    const message = `${path} has more than ${MAX_CONTAINERS} objects and arrays.`;
    return SessionError.of("TOO_LARGE", message, { path, limit: MAX_CONTAINERS });
  }
  const message = `${path} has at least ${bytes} bytes; ${maxBytes} are allowed.`;
  return SessionError.of("TOO_LARGE", message, { path, bytes, limit: maxBytes });
}

function notJson(error: unknown, path: string): SessionError {
  if (error instanceof NotJson)
    return SessionError.of("INVALID_ARGUMENT", `${path} ${error.message}.`, { path });
  const message = `${path} could not be read: it, or what computes it, threw an error (see the cause).`;
  return SessionError.of("INVALID_ARGUMENT", message, { path, cause: error });
}
