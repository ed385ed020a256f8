import { hexWord } from "../json/hex-word.js";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Hexadecimal digits that are counted on. */
const TAIL = 8;

/**
 * The UUIDs after a UUIDv7 of the same moment: its last 32 bits counted on. `undefined` if it is no UUIDv7. They cannot
 * meet another of the same source, which differs in its counter.
 */
export function laterUuids(uuid: string): ((index: number) => string) | undefined {
  if (!UUID_V7.test(uuid)) return undefined;
  const head = uuid.slice(0, -TAIL);
  const tail = Number.parseInt(uuid.slice(-TAIL), 16);
  return (index) => head + hexWord((tail + index) >>> 16) + hexWord(tail + index);
}
