import { fileLines } from "./file-lines.js";
import { isTooDeep } from "./json-nesting.js";
import { textIn, type UnreadableInput, unreadableInput } from "./unreadable-input.js";

/** A line of JSON, or a line that is none. */
export type JsonLine =
  | { readonly number: number; readonly value: unknown }
  | { readonly unreadable: UnreadableInput };

/** The values of a file of JSON lines. What cannot be read, such as a torn last line, is set aside, and hides no other. */
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
          !terminated && problem === NOT_JSON ? "is cut off" : problem,
          bytes,
        ),
      };
  }
}

const NOT_JSON = "is not JSON";

/** Bytes as JSON, or what is wrong with them. */
export type Read =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Reads bytes as JSON. A byte order mark at their beginning is skipped. */
export function read(bytes: Uint8Array): Read {
  const text = textIn(bytes);
  if (text === undefined) return { problem: "is not text in UTF-8" };
  if (isTooDeep(text)) return { problem: "is nested too deeply" };
  const value = parsed(text);
  return value === undefined ? { problem: NOT_JSON } : { value };
}

/** JSON has no `undefined`: that stands for a text which is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // not JSON: that is what was asked
  }
}
