import { dataLost } from "../error-mapping.js";

/** What a server has acknowledged of a session. */
export interface Acknowledged {
  readonly revision: number;
  readonly commitId: string;
  /** The connection that showed it last. */
  readonly epoch: number;
}

/** What a server says now. */
interface Shown {
  readonly revision: number;
  /** Whether it remembers the commit; `undefined` if it was not asked. */
  readonly remembers: boolean | undefined;
  readonly epoch: number;
}

/** So many sessions are kept in mind. */
const MOST = 10_000;

/** If there were more commits since, the session may have forgotten the one that is asked for. */
const JUDGEABLE = 256;

/**
 * The last acknowledged commit of the sessions that were used lately. A server that comes back without it, or a new
 * primary that never had it, is found out at the next use of the session, also if it has gone on to greater revisions.
 */
export class Acknowledgements {
  readonly #last = new Map<string, Acknowledged>();
  readonly #onLost: (id: string) => void;

  /** `onLost`: what is known of the session is not what the server has. */
  constructor(onLost: (id: string) => void) {
    this.#onLost = onLost;
  }

  note(id: string, acknowledged: Acknowledged): void {
    // Two answers may be looked at in another order than they came in.
    if ((this.#last.get(id)?.revision ?? 0) > acknowledged.revision) return;
    this.#last.delete(id);
    this.#last.set(id, acknowledged);
    if (this.#last.size <= MOST) return;
    const [oldest] = this.#last.keys();
    if (oldest !== undefined) this.#last.delete(oldest);
  }

  /** What is known before the server is asked: only that can be expected of its answer. */
  last(id: string): Acknowledged | undefined {
    return this.#last.get(id);
  }

  /** Whether the server has shown, on this connection, that it has what it acknowledged. */
  isProven(id: string, epoch: number): boolean {
    return (this.#last.get(id)?.epoch ?? epoch) === epoch;
  }

  /**
   * Throws DATA_LOST if what was acknowledged is not there. Once a caller has got it, it is forgotten: the caller knows, and goes on
   * with what is left. `isBackground`: a poll or a waiting loop met it. Nobody may see that error, so the next one gets it again.
   */
  compare(
    id: string,
    expected: Acknowledged,
    { revision, remembers, epoch }: Shown,
    isBackground: boolean,
  ): void {
    const isBehind = revision < expected.revision;
    const isOther = remembers === false && revision - expected.revision < JUDGEABLE;
    if (!isBehind && !isOther) {
      if (remembers === true && this.#last.get(id) === expected) this.note(id, { ...expected, epoch });
      return;
    }
    if (!isBackground && this.#last.get(id) === expected) this.#last.delete(id);
    this.#onLost(id);
    throw dataLost(id, expected.revision, revision);
  }
}
