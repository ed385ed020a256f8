import { imageOf, type SessionState, type StateImage } from "@sessions/protocol/backend";
import { splitArrays } from "./array-chunks.js";
import type { CommitEntry } from "./journal-line.js";
import { longArraysInImage, longArraysInOperations } from "./long-array-paths.js";

/** A line takes no more commits once it has this length: parsing is synchronous, and 27 MB take 165 ms. */
const MAX_LINE_LENGTH = 256 * 1024;

/** How many generated commit ids a new segment still has: only their own store sends one again, and soon. */
const MAX_GENERATED_IDS = 256;

/** What a line says besides its position, as the text of an object's properties. */
export type LineBody = string;

/** The commits of one write: in as few lines as can be parsed quickly, long arrays in lines before them. */
export function commitBodies(entries: readonly CommitEntry[]): readonly LineBody[] {
  const bodies: LineBody[] = [];
  let texts: string[] = [];
  let length = 0;
  const endLine = (): void => {
    if (texts.length > 0) bodies.push(`"commits":[${texts.join(",")}]`);
    texts = [];
    length = 0;
  };
  for (const entry of entries) {
    const { value, chunks } = splitArrays(entry, longArraysInOperations(entry.ops));
    if (chunks.length > 0) endLine(); // its chunks stand right before its own line
    bodies.push(...chunks.map(chunkBody));
    const text = JSON.stringify(value);
    texts.push(text);
    length += text.length;
    if (length > MAX_LINE_LENGTH || chunks.length > 0) endLine();
  }
  endLine();
  return bodies;
}

/** The state that a segment begins with, line by line: it may be long, and is never needed as a whole. */
export function* baseBodies(state: SessionState): Iterable<LineBody> {
  const base = withFewerGeneratedIds(imageOf(state));
  const { value, chunks } = splitArrays({ base }, longArraysInImage(base));
  for (const chunk of chunks) yield chunkBody(chunk);
  yield JSON.stringify(value).slice(1, -1);
}

/** The end of a segment. */
export function sealBody(candidate: string): LineBody {
  return `"seal":${JSON.stringify(candidate)}`;
}

function chunkBody(chunk: readonly unknown[]): LineBody {
  return `"part":${JSON.stringify(chunk)}`;
}

/** Forgetting an id moves the horizon: a commit with such an id that is sent again has an unknown outcome. */
function withFewerGeneratedIds(image: StateImage): StateImage {
  const { entries, horizon } = image.generated;
  const forgotten = entries.slice(0, -MAX_GENERATED_IDS);
  const newest = forgotten.reduce((latest, { at }) => Math.max(latest, at), horizon);
  return { ...image, generated: { entries: entries.slice(-MAX_GENERATED_IDS), horizon: newest } };
}
