const SLOTS = 16_384;

/**
 * The hash tags of a store's partitions. Tag i lies in the slots from i·16384/n to (i+1)·16384/n, so that the nodes of a Cluster
 * get as many partitions as they have slots. (`p0`, `p1`, … as they are put 1 to 8 of 64 on each of 16 nodes.)
 */
export function partitionTags(count: number): readonly string[] {
  const tags: string[] = [];
  for (let partition = 0; partition < count; partition++) tags.push(tagWithin(partition, count));
  return tags;
}

function tagWithin(partition: number, count: number): string {
  for (let attempt = 0; ; attempt++) {
    const tag = `p${partition}-${attempt.toString(36)}`;
    if (Math.floor((slotOf(tag) * count) / SLOTS) === partition) return tag;
  }
}

/** The slot of a key, or of a hash tag alone: its CRC16 (XMODEM) in 14 bits. The tag must be ASCII. */
export function slotOf(key: string): number {
  const tag = /\{([^}]+)\}/.exec(key)?.[1] ?? key;
  let crc = 0;
  for (let index = 0; index < tag.length; index++) {
    crc ^= tag.charCodeAt(index) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc % SLOTS;
}
