const TOKEN = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/;

/** What is wrong with a small XML document, or `undefined`. Knows elements, attributes and text. */
export function flawOf(xml: string): string | undefined {
  const open: string[] = [];
  let end = 0;
  for (const [whole, closing, name = "", attributes = "", empty] of xml.matchAll(TOKEN)) {
    end += whole.length;
    if (BARE_AMPERSAND.test(name === "" ? whole : attributes)) return `a bare & in ${whole}`;
    if (closing === "/" && open.pop() !== name) return `</${name}> closes something else`;
    if (name !== "" && closing === "" && empty === "") open.push(name);
  }
  if (end < xml.length) return `no markup: ${xml.slice(end, end + 40)}`;
  return open.length === 0 ? undefined : `<${open.at(-1)}> stays open`;
}
