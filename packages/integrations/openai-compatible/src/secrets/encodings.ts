/** How many nested encodings are decoded. */
const MAX_PASSES = 4;

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["sol", "/"],
]);

/** A text, and the same text with its escapes of JSON, URLs and HTML decoded, once and repeatedly. */
export function decodings(text: string): readonly string[] {
  const found = [text];
  for (let rest = text; found.length <= MAX_PASSES; ) {
    const decoded = decodedOnce(rest);
    if (decoded === rest) break;
    found.push(decoded);
    rest = decoded;
  }
  return found;
}

function decodedOnce(text: string): string {
  return text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => charOf(hex, 16))
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => charOf(hex, 16))
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, hex: string) => charOf(hex, 16))
    .replaceAll(/&#(\d{1,7});/g, (_, digits: string) => charOf(digits, 10))
    .replaceAll(/&([a-z]+);/g, (entity, name: string) => NAMED.get(name) ?? entity);
}

function charOf(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** The substrings of base64 that any text with this secret has, at each of the three alignments. */
export function base64SubstringsOf(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = new TextEncoder().encode("\0".repeat(before) + secret);
    const all = btoa(String.fromCharCode(...bytes));
    // Characters at either end also encode bits of the neighbouring text.
    const own = all.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
