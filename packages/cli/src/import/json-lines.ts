import { type Aside, aside, textIn } from "./aside.js";
import { linesOf } from "./lines-of.js";

/** A line of JSON, or a line that is none. */
export type JsonLine = { readonly number: number; readonly value: unknown } | { readonly aside: Aside };

/** The values of a file of JSON lines. What cannot be read, such as a torn last line, is set aside, and hides no other. */
export async function* jsonLines(file: string, name: string = file): AsyncGenerator<JsonLine> {
  for await (const { number, bytes, terminated } of linesOf(file)) {
    const text = textIn(bytes);
    if (text?.trim() === "") continue;
    const value = text === undefined ? undefined : parsed(text);
    if (value !== undefined) yield { number, value };
    else yield { aside: aside(name, number, terminated ? "is not JSON" : "is cut off", bytes) };
  }
}

/** JSON has no `undefined`: that stands for a text which is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // not JSON: that is what was asked
  }
}
