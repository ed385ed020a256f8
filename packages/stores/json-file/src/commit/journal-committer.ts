import { type CommitOutcome, type CommitRequest, Damage, SessionError } from "@sessions/protocol/backend";
import { asSessionError, diskUnusable, outcomeUnknown, storeBusy, storeFull } from "../error-mapping.js";
import type { Journal } from "../session/journal.js";
import type { CachedJournal } from "../session/journal-cache.js";
import { commitBodies } from "../session/lines/line-bodies.js";
import type { Segment } from "../session/segment.js";
import { appendLines } from "./append-lines.js";
import { type CreatedJournal, createJournal } from "./create-journal.js";
import { type Evaluated, evaluate } from "./evaluate.js";
import { passesMark, Rotation, type RotationReason } from "./rotation.js";
import { landedOutcome } from "./short-write.js";
import { sweepSegments } from "./sweep-segments.js";
import { WriteFairness, type WriteTurn } from "./write-fairness.js";

/** No commit fails with STORE_BUSY before it has tried this often. */
const MIN_ATTEMPTS = 10;

/** The estimated memory of a journal that is not read yet. */
const EMPTY_BYTES = 1024;

/** A commit in progress. */
interface CommitCall {
  readonly sessionId: string;
  readonly requests: readonly CommitRequest[];
  readonly turn: WriteTurn;
}

/** Commits to the journal of one session: evaluates requests, appends their lines, and starts rotations. One commit at a time. */
export class JournalCommitter implements CachedJournal {
  readonly journal: Journal;
  readonly #writer: string;
  readonly #fairness: WriteFairness;
  #created: CreatedJournal | undefined;
  #rotation: Promise<boolean> | undefined;
  #rotationReason: RotationReason | undefined;
  /** Settles when a rotation has copied the last commits: until then commits of this store wait. */
  #sealing: Promise<unknown> | undefined;

  constructor(journal: Journal) {
    const { context, name } = journal.folder;
    this.journal = journal;
    this.#writer = context.nonce(6);
    this.#fairness = new WriteFairness(context.lock, name);
  }

  get weight(): number {
    return this.journal.head?.weight ?? EMPTY_BYTES;
  }

  get isOpen(): boolean {
    return this.journal.head?.isOpen === true;
  }

  /** The file does not tell that a sync of it has failed. */
  get isPinned(): boolean {
    return this.journal.head?.progress.failure !== undefined;
  }

  release(): void {
    this.journal.release();
  }

  close(): void {
    this.journal.close();
  }

  /** Applies requests of this session in order. Resolves when everything that the outcomes depend on is durable. */
  async commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const began = performance.now();
    const turn = this.#fairness.begin();
    try {
      for (let attempts = 1; ; attempts++) {
        await this.#sealing;
        const outcomes = await this.#attempt({ sessionId, requests, turn });
        if (outcomes !== undefined) return outcomes;
        const waitedMs = performance.now() - began;
        // Time alone says little: a process that was paused has waited long and tried once.
        if (attempts > MIN_ATTEMPTS && waitedMs > this.#context.deadlineMs)
          throw storeBusy(this.journal.folder.path, waitedMs);
      }
    } catch (error) {
      throw asSessionError(error, sessionId, this.journal.path);
    } finally {
      await turn.end();
    }
  }

  /** Why to rotate after the last commits, if there is a reason. Returns it once. */
  takeRotationReason(): RotationReason | undefined {
    const reason = this.#rotationReason;
    this.#rotationReason = undefined;
    return reason;
  }

  /** Writes the state into a new segment, if that is worth it. `false` if the head stayed what it was. */
  rotate(reason: RotationReason): Promise<boolean> {
    // One that was begun for another reason may find that it is not worth it.
    if (this.#rotation !== undefined && reason === "forced") {
      const again = (): Promise<boolean> => this.rotate(reason);
      return this.#rotation.then(again, again);
    }
    this.#rotation ??= this.#rotate(reason).finally(() => {
      this.#rotation = undefined;
    });
    return this.#rotation;
  }

  get #context() {
    return this.journal.folder.context;
  }

  /** `undefined` if others wrote first, or if the lock was waited for: then it has to be decided again. */
  async #attempt(call: CommitCall): Promise<readonly CommitOutcome[] | undefined> {
    const { sessionId, requests } = call;
    const head = await this.journal.current(sessionId);
    if (head === undefined) return this.#create(sessionId, requests);
    if (!head.isOpen) return undefined; // another call has followed a seal or found damage since
    if (head.progress.failure !== undefined || head.links > 1) return this.#leave(head);
    // From here to the append nothing is awaited: the state must be that of the file.
    const evaluated = evaluate(head.fold.state, requests);
    if (evaluated.entries.length > 0) return this.#append(head, evaluated, call);
    // The outcomes may depend on lines of others who have not waited for the disk yet.
    await this.#confirm(head, head.fold.end);
    return evaluated.outcomes;
  }

  async #append(
    head: Segment,
    { state, entries, outcomes }: Evaluated,
    { requests, turn }: CommitCall,
  ): Promise<readonly CommitOutcome[] | undefined> {
    const bodies = commitBodies(entries);
    const length = bodies.reduce((sum, body) => sum + body.length, 0);
    const waited = turn.before(length, head.othersWrote);
    if (waited !== undefined) return waited.then(() => undefined);
    const before = head.fold.end;
    const durable = this.#context.strict;
    const appended = appendLines(head, { writer: this.#writer, bodies, state, entries, durable });
    if (appended === "overtaken") return undefined;
    if (appended === "full") return this.#afterShortWrite(head, requests);
    this.#rotationReason ??= this.#reasonToRotate(head, before);
    if (!head.isLinked && !this.#wasRotated(head)) return undefined;
    // The lock is released meanwhile: others need not wait for the disk.
    await Promise.all([this.#confirm(head, head.fold.end), turn.end()]);
    return outcomes;
  }

  /** Of a short write the whole lines count. A single commit counts with its last line only, so it was not applied. */
  async #afterShortWrite(
    head: Segment,
    requests: readonly CommitRequest[],
  ): Promise<readonly CommitOutcome[]> {
    if (requests.length === 1) throw storeFull(head.path);
    try {
      const now = await this.journal.current();
      if (now === undefined) throw new Damage(head.path, "the journal has vanished");
      const outcomes = requests.map((request) => landedOutcome(now, request));
      await this.#confirm(now, now.fold.end);
      return outcomes;
    } catch (error) {
      throw outcomeUnknown(head.path, error);
    }
  }

  /**
   * Whether a file without its name was replaced by a rotation, which has copied what stands before its seal. If not,
   * somebody has moved it away, and what was appended to it counts nowhere.
   */
  #wasRotated(head: Segment): boolean {
    try {
      const wasRotated = head.readToEnd().sealedTo !== undefined;
      if (!wasRotated && this.journal.head === head) this.journal.close();
      return wasRotated;
    } catch (error) {
      throw outcomeUnknown(head.path, error);
    }
  }

  #reasonToRotate({ fold }: Segment, before: number): RotationReason | undefined {
    if (fold.state?.status === "deleted") return "ended";
    return passesMark(before, fold.end, this.#context.rotateBytes) ? "grown" : undefined;
  }

  async #create(
    sessionId: string,
    requests: readonly CommitRequest[],
  ): Promise<readonly CommitOutcome[] | undefined> {
    const { outcomes, entries } = evaluate(undefined, requests);
    if (entries.length === 0) return outcomes;
    this.#created = await createJournal(this.journal.folder, {
      id: sessionId,
      writer: this.#writer,
      entries,
    });
    return this.#created === undefined ? undefined : outcomes;
  }

  async #confirm(head: Segment, end: number): Promise<void> {
    if (!this.#context.strict) return;
    if (this.#created !== undefined && this.#created.salt === head.fold.header?.salt)
      head.progress.confirmed(this.#created.length);
    await head.confirm(end, this.journal.folder.withParent);
    sweepSegments(this.journal.folder, head);
  }

  /** A segment whose disk has failed, or that has other names, is not written to any more. */
  async #leave(head: Segment): Promise<undefined> {
    if (head.links > 1) {
      const message = `${head.path} has ${head.links} names. The journal continues in a new file. Copy a store, do not link it.`;
      this.#context.warnings.give({ code: "HARD_LINKS", message, path: head.path });
    }
    const hasLeft = (await this.#rotatedAway(head)) || this.journal.head !== head;
    const { failure } = head.progress;
    if (!hasLeft && failure !== undefined) throw diskUnusable(head.path, failure);
  }

  /** The commit that waits for this has written nothing yet: whatever the rotation's outcome is, the commit's is known. */
  async #rotatedAway(head: Segment): Promise<boolean> {
    try {
      return await this.rotate("forced");
    } catch (error) {
      throw SessionError.is(error, "OUTCOME_UNKNOWN") ? diskUnusable(head.path, error) : error;
    }
  }

  async #rotate(reason: RotationReason): Promise<boolean> {
    const head = await this.journal.current();
    if (head === undefined) return false;
    const rotation = new Rotation(this.journal, this.#writer, (seal) => this.#undisturbed(seal));
    if (!(await rotation.run(head, reason))) return false;
    const next = await this.journal.current();
    if (next === undefined) return false;
    await next.confirm(0, this.journal.folder.withParent);
    sweepSegments(this.journal.folder, next);
    return true;
  }

  async #undisturbed<Result>(seal: () => Promise<Result>): Promise<Result> {
    const sealing = seal();
    this.#sealing = sealing.catch(() => undefined); // commits continue, whatever became of it
    try {
      return await sealing;
    } finally {
      this.#sealing = undefined;
    }
  }
}
