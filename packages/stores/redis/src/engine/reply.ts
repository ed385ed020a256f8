/** A reply that is a list. */
export function listOf(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw new TypeError("The server answered with something else than a list.");
}

/** A text of a reply; `undefined` where there is none. */
export function textOf(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  return typeof reply === "number" ? String(reply) : undefined;
}

/** A number of a reply; `undefined` where there is none. */
export function numberOf(reply: unknown): number | undefined {
  const text = textOf(reply);
  return text === undefined || text === "" ? undefined : Number(text);
}

/** The texts of a list; `undefined` where there is none. */
export function textsOf(reply: unknown): readonly (string | undefined)[] {
  return listOf(reply).map(textOf);
}
