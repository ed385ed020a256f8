import { crc32 } from "node:zlib";
import { Damage, parseStored } from "@sessions/protocol/backend";

/** A text with its checksum before it: `<checksum> <text>`. */
export function checkedText(text: string): string {
  return `${crc32(text)} ${text}`;
}

/** The text, if it is what was written. */
export function textOfChecked(stored: string, location: string): string {
  const space = stored.indexOf(" ");
  const text = stored.slice(space + 1);
  if (space < 0 || crc32(text) !== Number(stored.slice(0, space)))
    throw new Damage(location, "does not match its checksum");
  return text;
}

/** A value as checked JSON. */
export function checkedJson(value: object): string {
  return checkedText(JSON.stringify(value));
}

/** Reads checked JSON. */
export function parseChecked<Value>(stored: string, location: string): Value {
  return parseStored<Value>(textOfChecked(stored, location), location);
}
