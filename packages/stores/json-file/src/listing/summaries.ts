import { join } from "node:path";
import { frozen, type SessionState, type SummaryRecord, summaryOf } from "@sessions/protocol/backend";
import type { Journal } from "../commit/journal.js";
import { EXPIRY_GRACE_MS } from "../commit/rotation.js";
import type { FileStat } from "../engine/file-system.js";
import type { HandleQueue } from "../engine/handle-queue.js";
import { sessionsMissing } from "../error-mapping.js";
import { isOfOneSession } from "../session/concerns-one-session.js";
import type { JournalCache } from "../session/journal-cache.js";
import type { JournalContext } from "../session/journal-folder.js";
import { folderName } from "../session/names/folder-name.js";
import { isSessionName } from "../session/names/is-folder-name.js";
import type { Segment } from "../session/segment.js";
import type { JsonFileWarning } from "../warning.js";

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
  readonly changedAt: number;
  readonly listed: Listed;
}

/** Summaries of sessions, kept as long as their files are what they were: one look at each file, and no reading. */
export class Summaries {
  readonly #context: JournalContext;
  readonly #journals: JournalCache;
  readonly #queue: HandleQueue;
  readonly #known = new Map<string, Known>();
  readonly #onExpired: (name: string) => void;

  /** `onExpired` is told of sessions that have expired for good, and still take their room. */
  constructor(
    context: JournalContext & { readonly handles: { readonly queue: HandleQueue } },
    journals: JournalCache,
    onExpired: (name: string) => void,
  ) {
    this.#context = context;
    this.#queue = context.handles.queue;
    this.#journals = journals;
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

  /** A folder that is missing is no empty one. What is no session's is left alone, and told once. */
  async #names(): Promise<readonly string[]> {
    const { fileSystem, sessions, warnings } = this.#context;
    const all = await this.#queue.run(async () => fileSystem.list(sessions));
    if (all.length === 0 && fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
    const names = all.filter(isSessionName);
    if (names.length < all.length)
      for (const name of all) if (!isSessionName(name)) warnings.give(foreignEntry(join(sessions, name)));
    return names;
  }

  /** The session in one folder; `undefined` if there is none that can be read. */
  async of(name: string): Promise<Listed | undefined> {
    const known = this.#known.get(name);
    const stat = known && this.#context.fileSystem.stat(known.path);
    const fresh = known !== undefined && stat !== undefined && isSame(stat, known);
    return this.#now(name, fresh ? known.listed : await this.#read(name));
  }

  /** The session is read anew by whoever asks for it next. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  #read(name: string): Promise<Listed | undefined> {
    return this.#journals.use(name, async (journal) => {
      const head = await this.#head(name, journal);
      const { header, state } = head?.fold ?? {};
      if (head === undefined || header === undefined || state === undefined) return undefined;
      if (folderName(header.id) !== name) return this.#notListed(name, `it is the journal of "${header.id}"`);
      const listed = listedOf(header.id, state);
      const { path, inode, seen: size, changedAt } = head;
      this.#known.set(name, { path, inode, size, changedAt, listed });
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
      .catch((error: unknown) => this.#leftOut(name, error));
  }

  /** Its own readers are told what is wrong with it; nobody else is disturbed by that. */
  #leftOut(name: string, error: unknown): undefined {
    if (!isOfOneSession(error)) throw error;
    return this.#notListed(name, error.message, error);
  }

  #notListed(name: string, reason: string, cause?: unknown): undefined {
    const path = join(this.#context.sessions, name);
    const message = `The session in ${path} cannot be read and is left out of lists: ${reason}`;
    this.#context.warnings.give({ code: "UNREADABLE_SESSION", message, path, cause });
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

  #keepOnly(names: readonly string[]): void {
    if (this.#known.size <= names.length) return;
    const there = new Set(names);
    for (const name of this.#known.keys()) if (!there.has(name)) this.#known.delete(name);
  }
}

function isSame(stat: FileStat, { inode, size, changedAt }: Known): boolean {
  return stat.inode === inode && stat.size === size && stat.changedAt === changedAt;
}

function listedOf(id: string, state: SessionState): Listed {
  if (state.status === "live") return { status: "live", id, summary: frozen(summaryOf(id, state)) };
  return { status: "deleted", id, revision: state.revision, deletedAt: state.deletedAt };
}

function foreignEntry(path: string): JsonFileWarning {
  const message = `${path} is no session's folder. It is ignored. Move it elsewhere: this folder is the store's alone.`;
  return { code: "FOREIGN_ENTRY", message, path };
}
