/** At which bytes of its last line a write is torn: at every one, or at a sample that the seed chooses. */
export type Tears = "every byte" | { readonly seed: number };

/** The first bytes of a line are its offset. */
const FIRST_BYTES = 8;
/** The last bytes of a line are its checksum (16 bytes) and the line end. */
const LAST_BYTES = 24;
/** Between those, readers treat every tear alike: one in this many bytes is tried. */
const STEP_BYTES = 32;

/** Whether to tear a line of this length after its first `kept` bytes. */
export function isTornAt(kept: number, length: number, tears: Tears): boolean {
  if (tears === "every byte" || kept < FIRST_BYTES || length - kept <= LAST_BYTES) return true;
  return (kept + tears.seed) % STEP_BYTES === 0;
}
