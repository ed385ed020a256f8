/** What a user sends. */
export interface PlannedUpdate {
  readonly id: number;
  readonly user: number;
  readonly text: string;
}

/** The deliveries of a run. */
export interface Plan {
  readonly updates: readonly PlannedUpdate[];
  /** The updates in order of delivery. An update may occur several times. */
  readonly deliveries: readonly PlannedUpdate[];
}

const LONGEST_BURST = 6;
const DOUBLED = 0.12;
const MOST_COPIES = 3;
/** How many deliveries later a copy may come. */
const LATEST_COPY = 300;

/** Updates in bursts, out of order, and some of them several times: at once, or much later. */
export function makePlan(size: { readonly updates: number; readonly users: number }, seed: number): Plan {
  const random = randomOf(seed);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const updates: PlannedUpdate[] = [];
  const placed: { readonly at: number; readonly update: PlannedUpdate }[] = [];
  while (updates.length < size.updates) {
    const user = upTo(size.users);
    const start = updates.length;
    const burst = Math.min(upTo(LONGEST_BURST), size.updates - start);
    for (let n = 0; n < burst; n++) {
      const id = start + n;
      const update = { id, user, text: `question ${id} of user ${user}` };
      updates.push(update);
      // The updates of a burst are delivered out of order.
      placed.push({ at: start + random() * burst, update });
      const copies = random() < DOUBLED ? upTo(MOST_COPIES) : 0;
      for (let copy = 0; copy < copies; copy++)
        placed.push({ at: start + random() * (random() < 0.5 ? burst : LATEST_COPY), update });
    }
  }
  return { updates, deliveries: placed.sort((a, b) => a.at - b.at).map(({ update }) => update) };
}

/** A seeded generator of numbers between 0 and 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
