import type { SessionState } from "@sessions/protocol/backend";
import { imageOf, type StateImage } from "@sessions/protocol/backend";
import { parted } from "./array-chunks.js";
import type { CommitEntry } from "./journal-line.js";
import { pathsInImage, pathsInOperations } from "./long-array-paths.js";

/** A line takes more commits until it is this long: what is parsed at once must not hold anybody up. */
const LINE_LENGTH = 256 * 1024;

/** Generated commit ids that a new segment still knows: only their own store sends one again, and soon. */
const GENERATED_KEPT = 256;

/** What lines say besides where they stand, as the text of an object's properties. */
export type Fragment = string;

/** The commits of one write: as few lines as are easily read, the long arrays in lines before them. */
export function commitFragments(entries: readonly CommitEntry[]): readonly Fragment[] {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && pathsInOperations(only.ops).length === 0) {
    return [`"commits":[${textOf(only)}]`];
  }
  const fragments: Fragment[] = [];
  let texts: string[] = [];
  let length = 0;
  const close = (): void => {
    if (texts.length > 0) fragments.push(`"commits":[${texts.join(",")}]`);
    texts = [];
    length = 0;
  };
  for (const entry of entries) {
    const { value, parts } = parted(entry, pathsInOperations(entry.ops));
    if (parts.length > 0) close(); // its parts stand right before its own line
    fragments.push(...parts.map(partFragment));
    const text = JSON.stringify(value);
    texts.push(text);
    length += text.length;
    if (length > LINE_LENGTH || parts.length > 0) close();
  }
  close();
  return fragments;
}

/** The text of long operations, in case their commit has to be written again: others have little patience. */
const longTexts = new WeakMap<CommitEntry["ops"], string>();
const LONG = 64 * 1024;

function textOf(entry: CommitEntry): string {
  const known = longTexts.get(entry.ops);
  // The first one: what callers fill in stands behind the operations.
  if (known !== undefined)
    return JSON.stringify({ ...entry, ops: [] }).replace('"ops":[]', () => `"ops":${known}`);
  const text = JSON.stringify(entry);
  if (text.length > LONG) longTexts.set(entry.ops, JSON.stringify(entry.ops));
  return text;
}

/** The state that a segment begins with, line by line: it may be long, and nobody needs all of it at once. */
export function* baseFragments(state: SessionState): Iterable<Fragment> {
  const base = forANewSegment(imageOf(state));
  const { value, parts } = parted({ base }, pathsInImage(base));
  for (const part of parts) yield partFragment(part);
  yield JSON.stringify(value).slice(1, -1);
}

/** The end of a segment. */
export function sealFragment(candidate: string): Fragment {
  return `"seal":${JSON.stringify(candidate)}`;
}

function partFragment(part: readonly unknown[]): Fragment {
  return `"part":${JSON.stringify(part)}`;
}

// What is forgotten moves the horizon: whoever sends it again is told that nobody knows any more.
function forANewSegment(image: StateImage): StateImage {
  const { entries, horizon } = image.generated;
  const forgotten = entries.slice(0, -GENERATED_KEPT);
  const newest = forgotten.reduce((latest, { at }) => Math.max(latest, at), horizon);
  return { ...image, generated: { entries: entries.slice(-GENERATED_KEPT), horizon: newest } };
}
