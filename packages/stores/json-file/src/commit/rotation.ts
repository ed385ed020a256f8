import { type SessionState, stateAt } from "@sessions/protocol/backend";
import type { Journal } from "../session/journal.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { baseBodies, commitBodies, sealBody } from "../session/lines/line-bodies.js";
import type { Segment } from "../session/segment.js";
import { appendLines } from "./append-lines.js";
import { Candidate } from "./candidate.js";

/** Why to rotate: the segment has grown past a mark, its session has ended, or it must not be written to any more. */
export type RotationReason = "grown" | "ended" | "forced";

/** Clocks differ: an expired session is rewritten as a tombstone this much later. */
export const EXPIRY_GRACE_MS = 60_000;

/** How often others may write first before the rotation is given up. */
const MAX_SEAL_ATTEMPTS = 20;

/** How long to wait for the lock. Without it the rotation is tried all the same, and loses more races. */
const LOCK_WAIT_MS = 200;

/** Whether a segment that grew from `before` to `after` has passed a mark. Each mark is twice as far as the one before. */
export function passesMark(before: number, after: number, first: number): boolean {
  const marks = (size: number): number => (size < first ? 0 : 1 + Math.floor(Math.log2(size / first)));
  return first === 0 || marks(after) > marks(before);
}

/** Runs the end of a rotation while commits of this store wait: they would always be faster than what copies them. */
type Undisturbed = <Result>(seal: () => Promise<Result>) => Promise<Result>;

/** Moves a session's state to a new segment, so that what it no longer needs can be removed. */
export class Rotation {
  readonly #journal: Journal;
  readonly #writer: string;
  readonly #undisturbed: Undisturbed;
  /** Whether a seal may stand that names the candidate. Then it must not be removed. */
  #mayBeNamed = false;

  constructor(journal: Journal, writer: string, undisturbed: Undisturbed) {
    this.#journal = journal;
    this.#writer = writer;
    this.#undisturbed = undisturbed;
  }

  /** `true` when the head is sealed to a candidate that holds everything. */
  async run(head: Segment, reason: RotationReason): Promise<boolean> {
    if (!(await this.#isWorthIt(head, reason))) return false;
    const held = await this.#context.lock.acquire(this.#journal.folder.name, LOCK_WAIT_MS);
    try {
      return await this.#rewrite(head);
    } finally {
      await held?.release();
    }
  }

  get #context() {
    return this.#journal.folder.context;
  }

  /** A segment that is mostly what the session still holds would not become much shorter. */
  async #isWorthIt(head: Segment, reason: RotationReason): Promise<boolean> {
    const state = this.#stateOf(head);
    if (state === undefined) return false;
    if (reason === "forced" || this.#context.rotateBytes === 0) return true;
    if (state.status === "deleted") return true; // what was deleted has to go, however little it is
    return reason === "grown" && (await this.#isShorterThan(state, head.fold.end / 2));
  }

  #stateOf(head: Segment): SessionState | undefined {
    return stateAt(head.fold.state, this.#context.now() - EXPIRY_GRACE_MS);
  }

  async #isShorterThan(state: SessionState, maxLength: number): Promise<boolean> {
    let length = 0;
    for (const body of baseBodies(state)) {
      length += body.length;
      if (length > maxLength) return false;
      await this.#context.share.continue();
    }
    return true;
  }

  async #rewrite(head: Segment): Promise<boolean> {
    const { header } = head.fold;
    const state = this.#stateOf(head);
    if (header === undefined || state === undefined) return false;
    const candidate = new Candidate(this.#journal.folder, this.#writer, { id: header.id, g: head.g + 1 });
    // Commits continue while the state is written. They follow behind it.
    const newEntries: CommitEntry[] = [];
    head.fold.onCommit = (entry) => newEntries.push(entry);
    const hasExpired = state !== head.fold.state;
    let isSealed = false;
    try {
      await candidate.add(baseBodies(state));
      await candidate.sync();
      isSealed = await this.#undisturbed(() => this.#seal(head, candidate, newEntries, hasExpired));
      return isSealed;
    } finally {
      head.fold.onCommit = undefined;
      candidate.close();
      if (!isSealed && !this.#mayBeNamed) candidate.remove();
    }
  }

  /** The seal is the commit point: before it the candidate means nothing, after it the old segment does. */
  async #seal(
    head: Segment,
    candidate: Candidate,
    newEntries: CommitEntry[],
    hasExpired: boolean,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_SEAL_ATTEMPTS; attempt++) {
      if ((await this.#journal.current()) !== head) return false; // another process has rotated
      // By another process's clock the session has not expired: then it stays.
      if (hasExpired && newEntries.length > 0) return false;
      if (newEntries.length > 0) {
        await candidate.add(commitBodies(newEntries.splice(0)));
        await candidate.sync();
      } else if (this.#appendSeal(head, candidate)) {
        return true;
      }
    }
    return false;
  }

  #appendSeal(head: Segment, candidate: Candidate): boolean {
    this.#mayBeNamed = true;
    const appended = appendLines(head, {
      writer: this.#writer,
      bodies: [sealBody(candidate.name)],
      state: head.fold.state,
      entries: [],
      durable: false,
    });
    this.#mayBeNamed = appended === "appended";
    if (this.#mayBeNamed) head.fold.sealedTo = candidate.name;
    return this.#mayBeNamed;
  }
}
