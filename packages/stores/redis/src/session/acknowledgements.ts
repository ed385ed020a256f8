import { type Clock, TOMBSTONE_MS } from "@sessions/protocol/backend";
import { dataLost } from "../error-mapping.js";

/** What a server has acknowledged of a session. */
export interface Acknowledged {
  readonly revision: number;
  readonly commitId: string;
  /** The connection that has shown it last. */
  readonly epoch: number;
}

interface Noted extends Acknowledged {
  /** On the monotonic clock. */
  readonly at: number;
}

/** What a server has of a session now. */
interface Found {
  readonly revision: number;
  /** Whether it remembers the commit; `undefined` if it was not asked. */
  readonly remembers: boolean | undefined;
  readonly epoch: number;
}

const MAX_SESSIONS = 10_000;

/** After so many commits a session may have forgotten the one that is asked for. */
const JUDGEABLE_COMMITS = 256;

/**
 * The last acknowledged commit of the sessions that were used lately. A server that comes back without it, or a new primary that
 * never had it, is found out at the next use of the session, even if that has reached greater revisions since.
 */
export class Acknowledgements {
  readonly #clock: Clock;
  readonly #last = new Map<string, Noted>();
  readonly #onLost: (id: string) => void;

  /** `onLost`: what is cached of the session is not what the server has. */
  constructor(onLost: (id: string) => void, clock: Clock) {
    this.#onLost = onLost;
    this.#clock = clock;
  }

  note(id: string, acknowledged: Acknowledged): void {
    // Two replies may be looked at in another order than they came in.
    if ((this.#last.get(id)?.revision ?? 0) > acknowledged.revision) return;
    this.#last.delete(id);
    this.#last.set(id, { ...acknowledged, at: this.#clock.monotonic() });
    if (this.#last.size <= MAX_SESSIONS) return;
    const [oldest] = this.#last.keys();
    if (oldest !== undefined) this.#last.delete(oldest);
  }

  /** What is known before the server is asked: only that can be expected of its reply. */
  last(id: string): Acknowledged | undefined {
    return this.#last.get(id);
  }

  /** Whether the server has shown, on this connection, that it has what it acknowledged. */
  isVerifiedOn(id: string, epoch: number): boolean {
    return (this.#last.get(id)?.epoch ?? epoch) === epoch;
  }

  /**
   * Throws DATA_LOST if what was acknowledged is not there. Once a caller has had it, it is forgotten: the caller knows, and goes on
   * with what is left. `isBackground`: a poll or a waiting loop has met it. Nobody may see that error, so the next one gets it again.
   */
  compare(id: string, expected: Acknowledged, found: Found, isBackground: boolean): void {
    const { revision, remembers, epoch } = found;
    const last = this.#last.get(id);
    const isCurrent = last === expected;
    // What had ended is forgotten after a while, and so is the tombstone of what was deleted.
    if (isCurrent && revision === 0 && this.#clock.monotonic() - last.at >= TOMBSTONE_MS) {
      this.#last.delete(id);
      return;
    }
    const isBehind = revision < expected.revision;
    const isOther = remembers === false && revision - expected.revision < JUDGEABLE_COMMITS;
    if (!isBehind && !isOther) {
      if (remembers === true && isCurrent) this.note(id, { ...expected, epoch });
      return;
    }
    if (!isBackground && isCurrent) this.#last.delete(id);
    this.#onLost(id);
    throw dataLost(id, expected.revision, revision);
  }
}
