import { join } from "node:path";
import { frozen, type SessionState, type SummaryRecord, summaryOf } from "@sessions/protocol/backend";
import type { UseJournal } from "../commit/background-rotations.js";
import { EXPIRY_GRACE_MS } from "../commit/rotation.js";
import type { FileStat } from "../engine/file-system.js";
import type { HandleQueue } from "../engine/handle-queue.js";
import { sessionsMissing } from "../error-mapping.js";
import { isOfOneSession } from "../session/concerns-one-session.js";
import type { Journal } from "../session/journal.js";
import type { JournalContext } from "../session/journal-context.js";
import { folderName } from "../session/names/folder-name.js";
import { isFolderName } from "../session/names/is-folder-name.js";
import type { Segment } from "../session/segment.js";
import type { JsonFileWarning } from "../warning.js";

/** What lists and watchers of the store need to know of a session that exists or existed. */
export type Listed =
  | { readonly status: "live"; readonly id: string; readonly summary: SummaryRecord }
  | {
      readonly status: "deleted";
      readonly id: string;
      readonly revision: number;
      readonly deletedAt: number;
    };

/** A summary, and the file that it was made of. */
interface CachedSummary {
  readonly path: string;
  readonly stat: FileStat;
  readonly listed: Listed;
}

/** What summaries are made with. */
interface SummariesContext extends JournalContext {
  readonly handles: { readonly queue: HandleQueue };
}

/** Summaries of sessions, kept as long as their files do not change: one `stat` of each file, and no reading. */
export class Summaries {
  readonly #context: SummariesContext;
  readonly #use: UseJournal;
  readonly #cached = new Map<string, CachedSummary>();
  readonly #onExpired: (name: string) => void;

  /** `onExpired` is called for sessions that have expired for every clock and still take room. */
  constructor(context: SummariesContext, use: UseJournal, onExpired: (name: string) => void) {
    this.#context = context;
    this.#use = use;
    this.#onExpired = onExpired;
  }

  /** Every session that can be read. A damaged one disturbs no other. */
  async *all(): AsyncGenerator<Listed> {
    const names = await this.#names();
    this.#keepOnly(names);
    for (const name of names) {
      const listed = await this.of(name);
      if (listed !== undefined) yield listed;
      await this.#context.share.continue();
    }
  }

  /** The session in one folder; `undefined` if there is none that can be read. */
  async of(name: string): Promise<Listed | undefined> {
    const cached = this.#cached.get(name);
    const stat = cached && this.#context.fileSystem.stat(cached.path);
    const isFresh = cached !== undefined && stat !== undefined && isSame(stat, cached.stat);
    return this.#atPresent(name, isFresh ? cached.listed : await this.#read(name));
  }

  /** Forgets a session's summary. The next call reads the session. */
  forget(name: string): void {
    this.#cached.delete(name);
  }

  /** A folder that is missing is not an empty one. Entries that are no session's are ignored, with one warning each. */
  async #names(): Promise<readonly string[]> {
    const { fileSystem, sessions, warnings, handles } = this.#context;
    const all = await handles.queue.run(async () => fileSystem.list(sessions));
    if (all.length === 0 && fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
    const names = all.filter(isFolderName);
    if (names.length < all.length)
      for (const name of all) if (!isFolderName(name)) warnings.give(foreignEntry(join(sessions, name)));
    return names;
  }

  #read(name: string): Promise<Listed | undefined> {
    return this.#use(name, async ({ journal }) => {
      const head = await this.#head(name, journal);
      const { header, state } = head?.fold ?? {};
      if (head === undefined || header === undefined || state === undefined) return undefined;
      if (folderName(header.id) !== name)
        return this.#warnOfUnreadable(name, `it is the journal of "${header.id}"`);
      const listed = listedOf(header.id, state);
      this.#cached.set(name, { path: head.path, stat: head.lastStat, listed });
      return listed;
    });
  }

  /** Read twice before it is left out: damage stays, a disk that fails may recover. */
  #head(name: string, journal: Journal): Promise<Segment | undefined> {
    const again = (error: unknown): Promise<Segment | undefined> =>
      isOfOneSession(error) ? journal.read() : Promise.reject(error);
    return journal
      .read()
      .catch(again)
      .catch((error: unknown) => {
        if (!isOfOneSession(error)) throw error;
        return this.#warnOfUnreadable(name, error.message, error);
      });
  }

  /** Calls on the session itself fail with the reason; lists leave it out. */
  #warnOfUnreadable(name: string, reason: string, cause?: unknown): undefined {
    const path = join(this.#context.sessions, name);
    const message = `The session in ${path} cannot be read and is left out of lists: ${reason}`;
    this.#context.warnings.give({ code: "UNREADABLE_SESSION", message, path, cause });
  }

  /** An expired session is a deleted one, from its time on. */
  #atPresent(name: string, listed: Listed | undefined): Listed | undefined {
    if (listed?.status !== "live") return listed;
    const { id, summary } = listed;
    const now = this.#context.now();
    if (summary.expiresAt === undefined || summary.expiresAt > now) return listed;
    if (summary.expiresAt + EXPIRY_GRACE_MS <= now) this.#onExpired(name);
    return { status: "deleted", id, revision: summary.revision + 1, deletedAt: summary.expiresAt };
  }

  #keepOnly(names: readonly string[]): void {
    if (this.#cached.size <= names.length) return;
    const present = new Set(names);
    for (const name of this.#cached.keys()) if (!present.has(name)) this.#cached.delete(name);
  }
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.inode === b.inode && a.size === b.size && a.changedAt === b.changedAt;
}

function listedOf(id: string, state: SessionState): Listed {
  if (state.status === "live") return { status: "live", id, summary: frozen(summaryOf(id, state)) };
  return { status: "deleted", id, revision: state.revision, deletedAt: state.deletedAt };
}

function foreignEntry(path: string): JsonFileWarning {
  const message = `${path} is no session's folder. It is ignored. Move it elsewhere: this folder is the store's alone.`;
  return { code: "FOREIGN_ENTRY", message, path };
}
