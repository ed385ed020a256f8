import type { SessionCache } from "../session/session-cache.js";
import { type IndexEntry, readIndexEntry } from "./index-changes.js";

const MAX_ENTRIES = 10_000;
const NO_ENTRY: IndexEntry = {};

/** The entry of a session in the index, and its version as the session's record has it. */
export interface KnownEntry {
  readonly version: string;
  readonly entry: IndexEntry;
}

/** What plain appends know of the index: of sessions that were read, and of those that were only appended to. */
export class KnownIndexEntries {
  readonly #cache: SessionCache;
  readonly #told = new Map<string, KnownEntry>();

  constructor(cache: SessionCache) {
    this.#cache = cache;
  }

  get(id: string): KnownEntry | undefined {
    const { head, content } = this.#cache.peek(id) ?? {};
    const told = this.#told.get(id);
    if (head === undefined || content === undefined) return told;
    if (told?.version === head.index) return told;
    const { labels, parent, renewOnUse } = content.hot;
    const entry = {
      labels,
      ...(parent && { parent: parent.sessionId }),
      ...(renewOnUse === true ? { renews: true as const } : {}),
    };
    return this.#note(id, { version: head.index, entry });
  }

  /** What append.lua has told of a session. */
  note(id: string, version: string, text: string): void {
    const entry = text === "" ? NO_ENTRY : readIndexEntry(text, `entry of ${id} in the index`);
    this.#note(id, { version, entry });
  }

  forget(id: string): void {
    this.#told.delete(id);
  }

  #note(id: string, known: KnownEntry): KnownEntry {
    this.#told.delete(id);
    this.#told.set(id, known);
    if (this.#told.size > MAX_ENTRIES) {
      const [oldest] = this.#told.keys();
      if (oldest !== undefined) this.#told.delete(oldest);
    }
    return known;
  }
}
