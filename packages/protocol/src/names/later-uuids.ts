const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Hexadecimal digits that are counted on: so few that counting is cheap. */
const TAIL = 6;
const TAIL_LIMIT = 16 ** TAIL;

/**
 * The UUIDs after a UUIDv7 of the same moment: its last 24 bits counted on. `undefined` if it is no UUIDv7. They cannot
 * meet another of the same source, which differs in its counter.
 */
export function laterUuids(uuid: string): ((index: number) => string) | undefined {
  if (!UUID_V7.test(uuid)) return undefined;
  const head = uuid.slice(0, -TAIL);
  const tail = Number.parseInt(uuid.slice(-TAIL), 16);
  return (index) => head + ((tail + index) % TAIL_LIMIT).toString(16).padStart(TAIL, "0");
}
