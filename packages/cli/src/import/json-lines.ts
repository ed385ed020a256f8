import { fileLines } from "./file-lines.js";
import { isTooDeep } from "./json-nesting.js";
import { textIn, type UnreadableInput, unreadableInput } from "./unreadable-input.js";

/** A line that is JSON, or one that is not. */
export type JsonLine =
  | { readonly number: number; readonly value: unknown }
  | { readonly unreadable: UnreadableInput };

/** The values of a file of JSON lines. A line that cannot be read, such as a torn last line, becomes unreadable input. */
export async function* jsonLines(file: string, name: string = file): AsyncGenerator<JsonLine> {
  for await (const { number, bytes, terminated } of fileLines(file)) {
    if (textIn(bytes)?.trim() === "") continue;
    const { value, problem = "" } = read(bytes);
    if (value !== undefined) yield { number, value };
    else
      yield {
        unreadable: unreadableInput(
          name,
          number,
          !terminated && problem === NOT_JSON ? CUT_OFF : problem,
          bytes,
        ),
      };
  }
}

const NOT_JSON = "is not JSON";

/** The problem of a last line that has no line end and is not JSON. */
export const CUT_OFF = "is cut off";

/** Parses bytes as JSON, or returns what is wrong with them. */
export type Read =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Parses bytes as JSON, without a byte order mark at the beginning. */
export function read(bytes: Uint8Array): Read {
  const text = textIn(bytes);
  if (text === undefined) return { problem: "is not text in UTF-8" };
  if (isTooDeep(text)) return { problem: "is nested too deeply" };
  const value = parsed(text);
  return value === undefined ? { problem: NOT_JSON } : { value };
}

/** Parses a text. Returns `undefined`, which JSON does not have, for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // not JSON
  }
}
