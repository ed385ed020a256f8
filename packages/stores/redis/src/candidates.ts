import type { ListOrder } from "@sessions/protocol";
import type { Deadline } from "./deadline.js";
import { idOf } from "./place.js";
import { textsOf } from "./reply.js";
import type { Server } from "./server.js";
import { LEASE_MS } from "./session-index.js";

/** A session that the index names, and where at best it stands in the order of the list. */
export interface Candidate {
  readonly id: string;
  /** Its time in the list is not before this (after this, where the newest come first). For lists by id it is 0. */
  readonly time: number;
}

/** Candidates in order. `fill` first, then look at `next`. */
export interface CandidateStream {
  readonly next: Candidate | undefined;
  take(): Candidate | undefined;
  fill(deadline: Deadline): Promise<void>;
}

/** Where candidates are looked for. */
export interface CandidateSource {
  readonly key: string;
  /** Whether its scores are upper bounds of the last change, or exact. */
  readonly isBound: boolean;
  readonly order: ListOrder;
  /** Nothing before this time is asked for (after this, where the newest come first). */
  readonly fromTime: number | undefined;
  /** Nothing before this place is asked for: for lists by id. */
  readonly fromPlace: string | undefined;
}

const FIRST_PAGE = 64;
const LARGEST_PAGE = 1000;

/** The candidates of one sorted set, in order, page by page. */
export class Candidates implements CandidateStream {
  readonly #server: Server;
  readonly #source: CandidateSource;
  readonly #seen = new Set<string>();
  readonly #page: Candidate[] = [];
  #last: { readonly score: string; readonly place: string } | undefined;
  #size = FIRST_PAGE;
  #isDone = false;

  constructor(server: Server, source: CandidateSource) {
    this.#server = server;
    this.#source = source;
  }

  /** The next one, which stays the next one; `undefined` at the end. Call `fill` first. */
  get next(): Candidate | undefined {
    return this.#page[0];
  }

  take(): Candidate | undefined {
    return this.#page.shift();
  }

  async fill(deadline: Deadline): Promise<void> {
    while (this.#page.length === 0 && !this.#isDone) await this.#read(deadline);
  }

  get #isById(): boolean {
    return this.#source.order.startsWith("id");
  }

  async #read(deadline: Deadline): Promise<void> {
    const size = this.#size;
    const reply = await this.#server.query(deadline, (client) => client.call("zrange", this.#range(size)));
    const found = textsOf(reply);
    let fresh = 0;
    const width = this.#isById ? 1 : 2; // ranges by id come without scores
    for (let n = 0; n < found.length; n += width) {
      const [place = "", score = "0"] = [found[n], this.#isById ? "0" : found[n + 1]];
      this.#last = { score, place };
      if (this.#seen.has(place)) continue;
      this.#seen.add(place);
      this.#page.push({ id: idOf(place), time: this.#bestTime(Number(score)) });
      fresh++;
    }
    this.#isDone = found.length < width * size;
    // Many of the same time: a page must reach beyond those that were seen.
    this.#size = Math.max(Math.min(2 * size, LARGEST_PAGE), fresh === 0 ? 2 * size : 0);
  }

  /** Where it stands at best. */
  #bestTime(score: number): number {
    const { isBound, order } = this.#source;
    if (this.#isById) return 0;
    return isBound && order.endsWith("asc") ? score - LEASE_MS : score;
  }

  #range(size: number): string[] {
    const { key, order, fromPlace } = this.#source;
    const isDescending = order.endsWith("desc");
    const end = ["LIMIT", "0", String(size)];
    const rev = isDescending ? ["REV"] : [];
    if (this.#isById) {
      const place = this.#last?.place ?? fromPlace;
      const start = place === undefined ? (isDescending ? "+" : "-") : `(${place}`;
      return [key, start, isDescending ? "-" : "+", "BYLEX", ...rev, ...end];
    }
    // By time and not by position: what others add or remove meanwhile makes nobody fall between two pages.
    const start = this.#last?.score ?? this.#firstScore();
    return [key, start, isDescending ? "-inf" : "+inf", "BYSCORE", ...rev, ...end, "WITHSCORES"];
  }

  #firstScore(): string {
    const { order, fromTime, isBound } = this.#source;
    if (order.endsWith("asc")) return fromTime === undefined ? "-inf" : String(fromTime);
    if (fromTime === undefined) return "+inf";
    return String(isBound ? fromTime + LEASE_MS : fromTime);
  }
}
