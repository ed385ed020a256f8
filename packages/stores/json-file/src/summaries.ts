import { frozen, SessionError, type SessionState, type SummaryRecord, summaryOf } from "@sessions/protocol";
import type { JournalCache } from "./journal-cache.js";
import type { JournalContext } from "./journal-place.js";
import { EXPIRY_GRACE_MS } from "./rotation.js";
import { folderName } from "./session-path.js";

/** What listing and watching need to know of a session that there is or was. */
export type Listed =
  | { readonly status: "live"; readonly id: string; readonly summary: SummaryRecord }
  | {
      readonly status: "deleted";
      readonly id: string;
      readonly revision: number;
      readonly deletedAt: number;
    };

/** What was read last, and of which file. */
interface Known {
  readonly path: string;
  readonly inode: number | bigint;
  readonly size: number;
  readonly listed: Listed;
}

/** Summaries of sessions, kept as long as their files are what they were: one look at each file, and no reading. */
export class Summaries {
  readonly #context: JournalContext;
  readonly #journals: JournalCache;
  readonly #known = new Map<string, Known>();
  readonly #onExpired: (name: string) => void;

  /** `onExpired` is told of sessions that have expired for good, and still take their room. */
  constructor(context: JournalContext, journals: JournalCache, onExpired: (name: string) => void) {
    this.#context = context;
    this.#journals = journals;
    this.#onExpired = onExpired;
  }

  /** Every session that can be read. A damaged one disturbs no other. */
  async *all(): AsyncGenerator<Listed> {
    const names = this.#context.fileSystem.list(this.#context.sessions);
    this.#forget(names);
    for (const name of names) {
      const listed = await this.of(name);
      if (listed !== undefined) yield listed;
      await this.#context.share.take();
    }
  }

  /** The session in one folder; `undefined` if there is none that can be read. */
  async of(name: string): Promise<Listed | undefined> {
    const known = this.#known.get(name);
    const stat = known && this.#context.fileSystem.stat(known.path);
    const fresh = known !== undefined && stat?.inode === known.inode && stat.size === known.size;
    return this.#now(name, fresh ? known.listed : await this.#read(name));
  }

  #read(name: string): Promise<Listed | undefined> {
    return this.#journals.use(name, async (journal) => {
      const head = await journal.read().catch(unreadable);
      const { header, state } = head?.fold ?? {};
      if (head === undefined || header === undefined || state === undefined) return undefined;
      if (folderName(header.id) !== name) return undefined; // another session's journal, copied or renamed
      const listed = listedOf(header.id, state);
      this.#known.set(name, { path: head.path, inode: head.inode, size: head.seen, listed });
      return listed;
    });
  }

  /** An expired session is a deleted one, from its time on. */
  #now(name: string, listed: Listed | undefined): Listed | undefined {
    if (listed?.status !== "live") return listed;
    const { id, summary } = listed;
    const now = this.#context.now();
    if (summary.expiresAt === undefined || summary.expiresAt > now) return listed;
    if (summary.expiresAt + EXPIRY_GRACE_MS <= now) this.#onExpired(name);
    return { status: "deleted", id, revision: summary.revision + 1, deletedAt: summary.expiresAt };
  }

  #forget(names: readonly string[]): void {
    if (this.#known.size <= names.length) return;
    const there = new Set(names);
    for (const name of this.#known.keys()) if (!there.has(name)) this.#known.delete(name);
  }
}

function listedOf(id: string, state: SessionState): Listed {
  if (state.status === "live") return { status: "live", id, summary: frozen(summaryOf(id, state)) };
  return { status: "deleted", id, revision: state.revision, deletedAt: state.deletedAt };
}

/** Its own readers are told of the damage; nobody else is disturbed by it. */
function unreadable(error: unknown): undefined {
  if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
}
