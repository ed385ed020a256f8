import { crc32 } from "node:zlib";

/** Over so many keys the index is spread. It is part of the format. */
const SHARDS = 16;

/** So many names are not made anew each time. */
const MOST_KNOWN = 2000;

/** The keys of one session. The part in braces is the same for all of them: so is their slot in a Cluster. */
export interface SessionKeys {
  /** A hash: its small state, its parts, its messages and where they are. */
  readonly session: string;
  /** A hash: the commits that are remembered. It outlives the session. */
  readonly window: string;
}

/** The keys of one part of the index; all of them in one slot. */
export interface ShardKeys {
  /** A text: the version of the format. */
  readonly format: string;
  /** Nothing: what the server's user may do is tried out on it. */
  readonly probe: string;
  /** A hash: what the index says of each session. */
  readonly entries: string;
  /** Sorted sets of sessions: by upper bounds of their last change, by creation, by id, by their end. */
  readonly recent: string;
  readonly created: string;
  readonly named: string;
  readonly ended: string;
  /** A sorted set of sessions that the index was told of and that no commit has followed yet, by when: see `Told`. */
  readonly told: string;
  /** Sorted sets of the sessions with a label, and of the forks of a session; by upper bounds of their last change. */
  readonly labelled: (name: string, value: string) => string;
  readonly forked: (parent: string) => string;
}

/** The names of all keys of a store. */
export class Keys {
  readonly prefix: string;
  /** The channel of changes. */
  readonly channel: string;
  /** Those of sessions that were used lately. */
  readonly #sessions = new Map<string, SessionKeys>();

  constructor(prefix: string) {
    this.prefix = prefix;
    this.channel = `${prefix}:changes`;
  }

  session(id: string): SessionKeys {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const tag = `${this.prefix}:{${inBraces(id)}}`;
    const keys = { session: `${tag}:s`, window: `${tag}:w` };
    if (this.#sessions.size >= MOST_KNOWN) this.#sessions.clear();
    this.#sessions.set(id, keys);
    return keys;
  }

  /** The session that a key holds, if it holds one. */
  sessionOf(key: string): string | undefined {
    const [start, end] = [`${this.prefix}:{`, "}:s"];
    if (!key.startsWith(start) || !key.endsWith(end)) return undefined;
    return outOfBraces(key.slice(start.length, -end.length));
  }

  /** Rows of a session that does not exist yet. */
  staged(id: string, nonce: string): string {
    return `${this.prefix}:{${inBraces(id)}}:n:${nonce}`;
  }

  /** What a store writes behind commits, so that replicas have something to confirm. In the slot of a session, if one is named. */
  mark(who: string, id: string | undefined): string {
    return `${this.prefix}:{${id === undefined ? "index-0" : inBraces(id)}}:c:${who}`;
  }

  /** The part of the index that a session is in. */
  shardOf(id: string): ShardKeys {
    return this.shard(crc32(id) % SHARDS);
  }

  shard(number: number): ShardKeys {
    const tag = `${this.prefix}:{index-${number}}`;
    return {
      format: `${tag}:format`,
      probe: `${tag}:probe`,
      entries: `${tag}:entries`,
      recent: `${tag}:recent`,
      created: `${tag}:created`,
      named: `${tag}:named`,
      ended: `${tag}:ended`,
      told: `${tag}:told`,
      labelled: (name, value) => `${tag}:label:${JSON.stringify([name, value])}`,
      forked: (parent) => `${tag}:parent:${JSON.stringify(parent)}`,
    };
  }

  shards(): readonly ShardKeys[] {
    return Array.from({ length: SHARDS }, (_, number) => this.shard(number));
  }
}

/** Redis takes what is between the first two braces for the slot: an id must not bring braces of its own. */
function inBraces(id: string): string {
  return id.replace(/[%{}]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function outOfBraces(text: string): string {
  return text.replace(/%(25|7b|7d)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
