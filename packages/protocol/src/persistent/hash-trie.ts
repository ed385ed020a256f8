const BITS = 5;
const MASK = 31;
const HASH_BITS = 32;

/** A key with its value, and its hash so that it need not be computed again when the entry moves. */
export interface Entry<V> {
  readonly hash: number;
  readonly key: string;
  readonly value: V;
}

/**
 * A node of a hash trie: five bits of the hash choose one of 32 slots, which is empty, or holds an entry or a child.
 * The maps say which; the lists hold only what is there, in the order of the slots.
 * Below the last bits of the hash a node is a bucket: a list of entries whose hashes are all equal.
 *
 * A child always holds at least two entries: a lone one lives in the parent.
 */
export interface HashTrie<V> {
  readonly entryMap: number;
  readonly childMap: number;
  readonly entries: readonly Entry<V>[];
  readonly children: readonly HashTrie<V>[];
}

/** A trie without entries. */
export const EMPTY_TRIE: HashTrie<never> = { entryMap: 0, childMap: 0, entries: [], children: [] };

function slotBit(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & MASK);
}

/** How many slots before `bit` are taken: its place in the list. */
function rank(map: number, bit: number): number {
  let bits = map & (bit - 1);
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function entryAt<V>(node: HashTrie<V>, bit: number): Entry<V> | undefined {
  return isFree(node.entryMap, bit) ? undefined : node.entries[rank(node.entryMap, bit)];
}

function childAt<V>(node: HashTrie<V>, bit: number): HashTrie<V> | undefined {
  return isFree(node.childMap, bit) ? undefined : node.children[rank(node.childMap, bit)];
}

function isFree(map: number, bit: number): boolean {
  return (map & bit) === 0;
}

function withEntry<V>(
  { entryMap, childMap, entries, children }: HashTrie<V>,
  bit: number,
  entry: Entry<V>,
): HashTrie<V> {
  const changed = entries.toSpliced(rank(entryMap, bit), isFree(entryMap, bit) ? 0 : 1, entry);
  return { entryMap: entryMap | bit, childMap, entries: changed, children };
}

function withoutEntry<V>({ entryMap, childMap, entries, children }: HashTrie<V>, bit: number): HashTrie<V> {
  const fewer = entries.toSpliced(rank(entryMap, bit), 1);
  return { entryMap: entryMap & ~bit, childMap, entries: fewer, children };
}

function withChild<V>(
  { entryMap, childMap, entries, children }: HashTrie<V>,
  bit: number,
  child: HashTrie<V>,
): HashTrie<V> {
  const changed = children.toSpliced(rank(childMap, bit), isFree(childMap, bit) ? 0 : 1, child);
  return { entryMap, childMap: childMap | bit, entries, children: changed };
}

function withoutChild<V>({ entryMap, childMap, entries, children }: HashTrie<V>, bit: number): HashTrie<V> {
  const fewer = children.toSpliced(rank(childMap, bit), 1);
  return { entryMap, childMap: childMap & ~bit, entries, children: fewer };
}

function bucket<V>(entries: readonly Entry<V>[]): HashTrie<V> {
  return { entryMap: 0, childMap: 0, entries, children: [] };
}

/** The entry with this key. */
export function findEntry<V>(root: HashTrie<V>, hash: number, key: string): Entry<V> | undefined {
  let node = root;
  for (let shift = 0; shift < HASH_BITS; shift += BITS) {
    const bit = slotBit(hash, shift);
    const child = childAt(node, bit);
    if (child === undefined) {
      const entry = entryAt(node, bit);
      return entry?.key === key ? entry : undefined;
    }
    node = child;
  }
  return node.entries.find((entry) => entry.key === key);
}

/** The trie with this entry, in the place of the one with the same key if there is one. */
export function putEntry<V>(node: HashTrie<V>, entry: Entry<V>, shift = 0): HashTrie<V> {
  if (shift >= HASH_BITS) return bucket([...node.entries.filter(({ key }) => key !== entry.key), entry]);
  const bit = slotBit(entry.hash, shift);
  const child = childAt(node, bit);
  if (child !== undefined) return withChild(node, bit, putEntry(child, entry, shift + BITS));
  const present = entryAt(node, bit);
  if (present === undefined || present.key === entry.key) return withEntry(node, bit, entry);
  // Two keys want one slot: both move down, to where their hashes differ or to a bucket.
  const pair = putEntry(putEntry<V>(EMPTY_TRIE, present, shift + BITS), entry, shift + BITS);
  return withChild(withoutEntry(node, bit), bit, pair);
}

/** The trie without this key, which it must have. */
export function removeEntry<V>(node: HashTrie<V>, hash: number, key: string, shift = 0): HashTrie<V> {
  if (shift >= HASH_BITS) return bucket(node.entries.filter((entry) => entry.key !== key));
  const bit = slotBit(hash, shift);
  const child = childAt(node, bit);
  if (child === undefined) return withoutEntry(node, bit);
  const smaller = removeEntry(child, hash, key, shift + BITS);
  const [first, second] = smaller.entries;
  const lone = second === undefined && smaller.childMap === 0 ? first : undefined;
  return lone === undefined ? withChild(node, bit, smaller) : withEntry(withoutChild(node, bit), bit, lone);
}

/** Every entry, in no promised order. */
export function* entriesOf<V>(node: HashTrie<V>): Generator<Entry<V>, void, undefined> {
  yield* node.entries;
  for (const child of node.children) yield* entriesOf(child);
}
