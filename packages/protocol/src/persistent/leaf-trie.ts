/** 2 ** 5 items per leaf, and as many children per branch. */
const BITS = 5;
const MASK = 31;

/** Up to 32 consecutive items. */
export type Leaf<T> = readonly T[];

/** A branch has leaves at the bottom of the trie, and branches above it. The other list stays empty. */
interface Branch<T> {
  readonly leaves: readonly Leaf<T>[];
  readonly branches: readonly Branch<T>[];
}

const NONE: readonly never[] = [];
const EMPTY: Branch<never> = { leaves: NONE, branches: NONE };

function ofLeaves<T>(leaves: readonly Leaf<T>[]): Branch<T> {
  return { leaves, branches: NONE };
}

function ofBranches<T>(branches: readonly Branch<T>[]): Branch<T> {
  return { leaves: NONE, branches };
}

/** A copy of `items` with `item` at its end. */
export function appended<T>(items: readonly T[], item: T): readonly T[] {
  // `toSpliced` is fast and allocates the exact size. `[...items, item]` allocates room for twice as many.
  return items.toSpliced(items.length, 0, item);
}

/** A copy of `items` with `item` at `slot`, which may be one past the end. */
function withItem<T>(items: readonly T[], slot: number, item: T): readonly T[] {
  if (slot === items.length) return appended(items, item);
  const copy = items.slice();
  copy[slot] = item;
  return copy;
}

function withLeaf<T>(branch: Branch<T>, height: number, index: number, leaf: Leaf<T>): Branch<T> {
  const slot = (index >>> (BITS * height)) & MASK;
  if (height === 0) return ofLeaves(withItem(branch.leaves, slot, leaf));
  const child = withLeaf(branch.branches[slot] ?? EMPTY, height - 1, index, leaf);
  return ofBranches(withItem(branch.branches, slot, child));
}

/** The first `count` leaves of a branch that has at least that many. `count` is not 0. */
function firstLeaves<T>(branch: Branch<T>, height: number, count: number): Branch<T> {
  if (height === 0) return ofLeaves(branch.leaves.slice(0, count));
  const last = (count - 1) >>> (BITS * height);
  const child = firstLeaves(branch.branches[last] ?? EMPTY, height - 1, count - (last << (BITS * height)));
  return ofBranches(appended(branch.branches.slice(0, last), child));
}

/** An immutable sequence of leaves in a radix-32 trie. Every change copies one path and shares the rest. */
export class LeafTrie<T> {
  /** The number of leaves. */
  readonly count: number;
  private readonly height: number;
  private readonly root: Branch<T>;

  private constructor(count: number, height: number, root: Branch<T>) {
    this.count = count;
    this.height = height;
    this.root = root;
  }

  static empty<T>(): LeafTrie<T> {
    return new LeafTrie<T>(0, 0, EMPTY);
  }

  leaf(index: number): Leaf<T> | undefined {
    let branch: Branch<T> | undefined = this.root;
    for (let height = this.height; height > 0; height--) {
      branch = branch?.branches[(index >>> (BITS * height)) & MASK];
    }
    return branch?.leaves[index & MASK];
  }

  append(leaf: Leaf<T>): LeafTrie<T> {
    const full = this.count === 1 << (BITS * (this.height + 1));
    const height = full ? this.height + 1 : this.height;
    const root = full ? ofBranches([this.root]) : this.root;
    return new LeafTrie(this.count + 1, height, withLeaf(root, height, this.count, leaf));
  }

  /** Replaces the leaf at `index`, which must exist. */
  replace(index: number, leaf: Leaf<T>): LeafTrie<T> {
    return new LeafTrie(this.count, this.height, withLeaf(this.root, this.height, index, leaf));
  }

  /** The first `count` leaves. The result does not reference the others. */
  first(count: number): LeafTrie<T> {
    if (count === 0) return LeafTrie.empty();
    return LeafTrie.lowered(count, this.height, firstLeaves(this.root, this.height, count));
  }

  /** The trie without top levels that have a single branch. */
  private static lowered<T>(count: number, height: number, root: Branch<T>): LeafTrie<T> {
    const [first, second] = root.branches;
    if (first === undefined || second !== undefined) return new LeafTrie(count, height, root);
    return LeafTrie.lowered(count, height - 1, first);
  }
}
