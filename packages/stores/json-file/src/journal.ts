import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  frozen,
  SessionError,
  type SessionState,
} from "@sessions/protocol";
import { asSessionError } from "./error-mapping.js";
import type { FileSystem } from "./file-system.js";
import { Damage, Fold, JOURNAL_VERSION, TORN } from "./fold.js";
import { NO_SALT, recordOf, type Sealed, seal } from "./record.js";

/** Where a session's journal is kept, and how carefully. */
export interface JournalPlace {
  readonly fileSystem: FileSystem;
  /** The folder of all sessions. */
  readonly sessions: string;
  /** Where folders are prepared; on the same file system. */
  readonly tmp: string;
  /** The name of the session's own folder. */
  readonly folder: string;
  /** Whether to wait for the disk before acknowledging. */
  readonly strict: boolean;
}

const SEGMENT = "1.jsonl";

/** What a batch of requests comes to on a state. */
interface Evaluated {
  readonly outcomes: CommitOutcome[];
  readonly state: SessionState | undefined;
  /** The accepted requests, with the revision that each leads to. */
  readonly accepted: readonly {
    readonly request: CommitRequest;
    readonly revision: number;
    readonly index: number;
  }[];
}

/**
 * One session's journal. What makes it safe is compare-and-swap on the byte offset: a record says where it stands, and
 * counts only there. Whoever writes second finds other bytes in its place, reads them, and tries again.
 */
export class Journal {
  readonly #place: JournalPlace;
  readonly #path: string;
  readonly #writer: string = randomBytes(6).toString("hex");
  #file: number | undefined;
  #inode: bigint | undefined;
  #fold = new Fold();
  /** How much of the file was read, an unfinished line at its end included. */
  #seen = 0;
  /** How much of the file is known to be on the disk. */
  #synced = 0;
  #foldersSynced = false;
  #poisoned: unknown;

  constructor(place: JournalPlace) {
    this.#place = place;
    this.#path = join(place.sessions, place.folder, SEGMENT);
  }

  get path(): string {
    return this.#path;
  }

  /** The state now, by all that any process has written. `undefined` if there never was such a session. */
  read(): Fold | undefined {
    try {
      return this.#catchUp() ? this.#fold : undefined;
    } catch (error) {
      throw asSessionError(error, this.#fold.header?.id, this.#path);
    }
  }

  /** Applies requests of this session in order. Resolves when everything that the outcomes tell is durable. */
  async commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    try {
      for (;;) {
        this.#refusePoisoned();
        const outcomes = this.#catchUp()
          ? await this.#append(requests)
          : await this.#begin(sessionId, requests);
        if (outcomes !== undefined) return outcomes;
      }
    } catch (error) {
      throw asSessionError(error, sessionId, this.#path);
    }
  }

  close(): void {
    if (this.#file !== undefined) this.#place.fileSystem.close(this.#file);
    this.#file = undefined;
    this.#inode = undefined;
    this.#fold = new Fold();
    this.#seen = 0;
    this.#synced = 0;
    this.#foldersSynced = false;
  }

  /** Reads what others have written since. `false` if there is no journal. */
  #catchUp(): boolean {
    const { fileSystem, sessions, folder } = this.#place;
    let stat = fileSystem.stat(this.#path);
    if (stat === undefined) {
      this.close();
      if (fileSystem.stat(join(sessions, folder)) === undefined) return false;
      // The folder comes with its journal in it; it may have come just now.
      stat = fileSystem.stat(this.#path);
      if (stat === undefined) throw new Damage(0, "the journal is missing from the session's folder");
    }
    // Inodes are used again at once, so the size must fit as well.
    if (this.#file === undefined || stat.inode !== this.#inode || stat.size < this.#fold.end) {
      this.close();
      this.#file = fileSystem.open(this.#path, true);
      if (this.#file === undefined) throw new Damage(0, "the journal is missing from the session's folder");
      this.#inode = stat.inode;
    }
    const { size } = fileSystem.statOpen(this.#file);
    const news = fileSystem.read(this.#file, this.#fold.end, Math.max(0, size - this.#fold.end));
    this.#seen = this.#fold.end + news.length;
    this.#fold.take(news);
    if (this.#fold.header === undefined) throw new Damage(0, "the header is missing");
    return true;
  }

  /** Appends to the journal. `undefined` if somebody else was faster: then it has to be decided anew. */
  async #append(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[] | undefined> {
    const { fileSystem } = this.#place;
    const file = this.#openFile();
    const evaluated = evaluate(this.#fold.state, requests);
    if (evaluated.accepted.length === 0) {
      await this.#sync(this.#fold.end);
      return evaluated.outcomes;
    }
    // Where the file ended when it was read, not where it ends now: what came since is not in the state.
    const start = this.#seen;
    // An unfinished line is closed with bytes that cannot complete it; a bare line end could.
    const torn = start > this.#fold.end ? TORN : Buffer.alloc(0);
    const lines = this.#lines(evaluated, start + torn.length, this.#fold.last, this.#salt());
    const bytes = Buffer.concat([torn, ...lines.map((line) => line.bytes)]);
    const written = fileSystem.append(file, bytes);
    if (!fileSystem.read(file, start, written).equals(bytes.subarray(0, written))) return undefined; // overtaken
    if (written < bytes.length) return this.#shortOf(evaluated, lines, written - torn.length);
    // An unfinished line and its end are one line of the file.
    this.#fold.advance(evaluated.state, start + torn.length - this.#fold.end, lines);
    this.#seen = this.#fold.end;
    await this.#sync(start + bytes.length);
    return evaluated.outcomes;
  }

  /** What landed of a short write counts as far as it is whole lines; the rest found no room. It is never continued. */
  async #shortOf(
    evaluated: Evaluated,
    lines: readonly Sealed[],
    landed: number,
  ): Promise<readonly CommitOutcome[]> {
    let room = landed;
    const whole = lines.findIndex((line) => {
      room -= line.bytes.length;
      return room < 0;
    });
    const firstLost = evaluated.accepted[whole]?.index ?? evaluated.outcomes.length;
    this.#catchUp();
    await this.#sync(this.#fold.end);
    return evaluated.outcomes.map((outcome, index) => (index < firstLost ? outcome : noRoom(this.#path)));
  }

  /** Makes the journal with its first records, whole or not at all. `undefined` if somebody else has made it. */
  async #begin(
    sessionId: string,
    requests: readonly CommitRequest[],
  ): Promise<readonly CommitOutcome[] | undefined> {
    const evaluated = evaluate(undefined, requests);
    if (evaluated.accepted.length === 0) return evaluated.outcomes;
    const { fileSystem, sessions, tmp, folder } = this.#place;
    const salt = randomBytes(4).toString("hex");
    const header = seal({ format: "sessions-journal", v: JOURNAL_VERSION, id: sessionId, salt }, NO_SALT);
    const lines = this.#lines(evaluated, header.bytes.length, header.checksum, salt);
    const prepared = join(tmp, `${process.pid}-${randomBytes(8).toString("hex")}`);
    fileSystem.makeFolder(prepared);
    try {
      await this.#prepare(
        join(prepared, SEGMENT),
        Buffer.concat([header.bytes, ...lines.map((line) => line.bytes)]),
      );
      if (this.#place.strict) await fileSystem.syncFolder(prepared);
      if (fileSystem.move(prepared, join(sessions, folder)) !== "moved") return undefined;
    } finally {
      fileSystem.remove(prepared);
    }
    if (this.#place.strict) await fileSystem.syncFolder(sessions);
    return evaluated.outcomes;
  }

  async #prepare(path: string, bytes: Buffer): Promise<void> {
    const { fileSystem, strict } = this.#place;
    const file = fileSystem.create(path);
    try {
      if (fileSystem.append(file, bytes) < bytes.length) throw noRoom(path).error;
      if (strict) await fileSystem.sync(file);
    } finally {
      fileSystem.close(file);
    }
  }

  #lines(evaluated: Evaluated, start: number, previous: string, salt: string): readonly Sealed[] {
    let [o, p] = [start, previous];
    return evaluated.accepted.map(({ request, revision }) => {
      const line = seal(recordOf(request, { o, r: revision, p, w: this.#writer }), salt);
      o += line.bytes.length;
      p = line.checksum;
      return line;
    });
  }

  /** What an outcome depends on may have been written by others, who have not waited for the disk yet. */
  async #sync(end: number): Promise<void> {
    const { fileSystem, strict, sessions, folder } = this.#place;
    if (!strict || this.#synced >= end) return;
    try {
      await fileSystem.sync(this.#openFile());
      if (!this.#foldersSynced) {
        await fileSystem.syncFolder(join(sessions, folder));
        await fileSystem.syncFolder(sessions);
      }
    } catch (error) {
      this.#poisoned = error; // what the disk holds now nobody knows, and a second sync would not tell
      const message = `The disk did not confirm a write to ${this.#path}.`;
      throw SessionError.of("OUTCOME_UNKNOWN", message, { commitId: "", cause: error });
    }
    this.#foldersSynced = true;
    this.#synced = Math.max(this.#synced, end);
  }

  #refusePoisoned(): void {
    if (this.#poisoned === undefined) return;
    throw SessionError.of(
      "STORE_UNAVAILABLE",
      `The disk failed to confirm a write to ${this.#path}. Open the store again once the disk is sound.`,
      { cause: this.#poisoned },
    );
  }

  #openFile(): number {
    if (this.#file === undefined) throw new Error("the journal is not open");
    return this.#file;
  }

  #salt(): string {
    return this.#fold.header?.salt ?? NO_SALT;
  }
}

function evaluate(state: SessionState | undefined, requests: readonly CommitRequest[]): Evaluated {
  const outcomes: CommitOutcome[] = [];
  const accepted: { request: CommitRequest; revision: number; index: number }[] = [];
  let next = state;
  for (const [index, request] of requests.entries()) {
    const step = applyCommit(next, frozen(request));
    outcomes.push(step.outcome);
    next = step.state;
    if (step.outcome.status === "applied") accepted.push({ request, revision: step.outcome.revision, index });
  }
  return { outcomes, state: next, accepted };
}

function noRoom(path: string): { readonly status: "rejected"; readonly error: SessionError } {
  const message = `There is no room left for ${path}. Make room and try again.`;
  return { status: "rejected", error: SessionError.of("STORE_FULL", message, {}) };
}
