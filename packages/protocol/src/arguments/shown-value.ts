const MAX_SHOWN_CHARACTERS = 80;

/** The kind of a value, for messages: "an array", "a number". */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A value as messages show it. Objects are not shown: `String(object)` may throw or never end. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  return typeof value === "number" || typeof value === "boolean" ? String(value) : kindOf(value);
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
