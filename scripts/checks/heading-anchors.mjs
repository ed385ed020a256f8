import { proseLines } from "./markdown.mjs";

/**
 * The anchors that a rendered document has: one per heading, named as GitHub names them, and explicit ids.
 */
export function headingAnchors(text) {
  const anchors = new Set();
  for (const line of proseLines(text)) {
    const heading = /^#{1,6}\s+(.*?)(?:\s+#+)?$/.exec(line)?.[1];
    if (heading !== undefined) anchors.add(unused(slug(heading), anchors));
    for (const [, id] of line.matchAll(/<[a-z]+[^>]*\s(?:id|name)="([^"]+)"/gi)) anchors.add(id);
  }
  return anchors;
}

function slug(heading) {
  const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<[^>]+>/g, "");
  return plain
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** A second heading of the same name gets "-1", a third "-2". */
function unused(name, anchors) {
  for (let count = 0; ; count += 1) {
    const candidate = count === 0 ? name : `${name}-${count}`;
    if (!anchors.has(candidate)) return candidate;
  }
}
