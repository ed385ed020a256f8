/** Characters that are not escaped. The slash and the hash sign are separators. */
const LITERAL = /^[A-Za-z0-9_.-]$/;

/** Longer names are hashed: a store takes ids of 512 bytes. */
const MAX_NAME_CHARS = 400;

/** A session id for a list of parts. Different lists have different ids, whatever characters they contain. */
export async function sessionName(parts: readonly string[]): Promise<string> {
  const name = parts.map(escaped).join("/");
  return name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, 64)}#${await hashed(name)}`;
}

function escaped(part: string): string {
  const bytes = new TextEncoder().encode(part);
  return Array.from(bytes, (byte) => literal(byte) ?? `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function literal(byte: number): string | undefined {
  const character = String.fromCharCode(byte);
  return LITERAL.test(character) ? character : undefined;
}

async function hashed(name: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
