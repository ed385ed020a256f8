import type { ListOrder } from "@sessions/protocol";
import type { Candidate, CandidateStream } from "./candidates.js";
import type { Deadline } from "./deadline.js";
import type { ShardKeys } from "./keys.js";
import { comparePlaces } from "./list-place.js";
import { idOf } from "./place.js";
import type { Server } from "./server.js";
import { placesIn } from "./shard-places.js";
import { isWrongType } from "./wrong-type.js";

interface UnsortedSource {
  readonly server: Server;
  readonly shard: ShardKeys;
  readonly order: ListOrder;
  /** Called once where a key has another type. */
  readonly onWrongType: () => void;
}

/**
 * The candidates of one part of the index. If another program has written over the key that has them in order, all sessions of
 * the part are candidates, each of them at the first place: the list takes longer, and is complete.
 */
export class SortedOrAllCandidates implements CandidateStream {
  readonly #source: UnsortedSource;
  readonly #sorted: CandidateStream;
  readonly #taken = new Set<string>();
  #all: Candidate[] | undefined;

  constructor(sorted: CandidateStream, source: UnsortedSource) {
    this.#sorted = sorted;
    this.#source = source;
  }

  get next(): Candidate | undefined {
    return this.#all === undefined ? this.#sorted.next : this.#all.at(-1);
  }

  take(): Candidate | undefined {
    if (this.#all !== undefined) return this.#all.pop();
    const candidate = this.#sorted.take();
    if (candidate !== undefined) this.#taken.add(candidate.id);
    return candidate;
  }

  async fill(deadline: Deadline): Promise<void> {
    if (this.#all !== undefined) return;
    try {
      await this.#sorted.fill(deadline);
    } catch (error) {
      if (!isWrongType(error)) throw error;
      this.#source.onWrongType();
      this.#all = await this.#everything(deadline);
    }
  }

  async #everything(deadline: Deadline): Promise<Candidate[]> {
    const { server, shard, order } = this.#source;
    const time = order.startsWith("id") ? 0 : order.endsWith("asc") ? -Infinity : Infinity;
    const places = await placesIn(server, shard, deadline);
    const candidates = places.map((place) => ({ id: idOf(place), time }));
    // The first of them at the end, where taking one costs nothing.
    return candidates.filter(({ id }) => !this.#taken.has(id)).sort((a, b) => comparePlaces(b, a, order));
  }
}
