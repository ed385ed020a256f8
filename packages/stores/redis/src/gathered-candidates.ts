import type { ListOrder } from "@sessions/protocol";
import type { Candidate, CandidateStream } from "./candidates.js";
import type { Deadline } from "./deadline.js";
import { comparePlaces } from "./list-place.js";
import { idOf } from "./place.js";
import { textsOf } from "./reply.js";
import type { Server } from "./server.js";

/** So many members are read in one go. */
const MEMBERS_AT_ONCE = 1000;

interface GatheredSource {
  /** The set of a label or of a parent. */
  readonly set: string;
  readonly order: ListOrder;
  /** The sorted set that knows when sessions were created. */
  readonly created: string;
}

/** The candidates of a set that is ordered in another way: all of them, sorted here. */
export class GatheredCandidates implements CandidateStream {
  readonly #server: Server;
  readonly #source: GatheredSource;
  #sorted: Candidate[] | undefined;

  constructor(server: Server, source: GatheredSource) {
    this.#server = server;
    this.#source = source;
  }

  get next(): Candidate | undefined {
    return this.#sorted?.at(-1);
  }

  take(): Candidate | undefined {
    return this.#sorted?.pop();
  }

  async fill(deadline: Deadline): Promise<void> {
    if (this.#sorted !== undefined) return;
    const found = await this.#gathered(deadline);
    // The first of them at the end, where taking one costs nothing.
    this.#sorted = [...found.values()].sort((a, b) => comparePlaces(b, a, this.#source.order));
  }

  async #gathered(deadline: Deadline): Promise<ReadonlyMap<string, Candidate>> {
    const { set, order, created } = this.#source;
    const found = new Map<string, Candidate>();
    // ZSCAN gives every member that is there all the time, whatever others add or remove meanwhile.
    for (let cursor = "0"; ; ) {
      const [next, page] = await this.#server.query(deadline, (client) =>
        client.zscan(set, cursor, "COUNT", MEMBERS_AT_ONCE),
      );
      const places = page.filter((_, index) => index % 2 === 0);
      const times = order.startsWith("id") ? [] : await this.#times(created, places, deadline);
      places.forEach((place, index) => {
        found.set(place, { id: idOf(place), time: Number(times[index] ?? 0) });
      });
      if (next === "0") return found;
      cursor = next;
    }
  }

  async #times(
    created: string,
    places: readonly string[],
    deadline: Deadline,
  ): Promise<readonly (string | undefined)[]> {
    if (places.length === 0) return [];
    return textsOf(await this.#server.query(deadline, (client) => client.zmscore(created, ...places)));
  }
}
