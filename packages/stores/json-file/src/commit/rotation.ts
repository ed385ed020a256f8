import { type SessionState, stateAt } from "@sessions/protocol/backend";
import type { JournalPlace } from "../session/journal-folder.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { baseFragments, commitFragments, sealFragment } from "../session/lines/line-bodies.js";
import type { Segment } from "../session/segment.js";
import { Candidate } from "./candidate.js";

/** Why to rotate: the segment has grown past a mark, its session has ended, or it must not be written to any more. */
export type Occasion = "grown" | "ended" | "forced";

/** Clocks differ: a session is given up on the disk some time after it has expired everywhere. */
export const EXPIRY_GRACE_MS = 60_000;

/** How often others may be faster before the rotation is left to them. */
const MOST_ATTEMPTS = 20;

/** How long to wait for the lock. Without it the rotation is tried all the same: it only loses more races. */
const LOCK_PATIENCE_MS = 200;

/** Whether a segment that grew from `before` to `after` has passed a mark: each is twice as far as the one before. */
export function passesMark(before: number, after: number, first: number): boolean {
  const marks = (size: number): number => (size < first ? 0 : 1 + Math.floor(Math.log2(size / first)));
  return first === 0 || marks(after) > marks(before);
}

/** What a rotation needs of the journal that it belongs to. */
export interface RotatingJournal {
  /** Reads on, and gives the head. */
  current(): Promise<Segment | undefined>;
  /** Lets the commits of this store wait meanwhile: they are always faster than what copies them. */
  undisturbed<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Moves a session's state to a new segment, so that what it no longer needs can go. */
export class Rotation {
  readonly #place: JournalPlace;
  readonly #writer: string;
  readonly #journal: RotatingJournal;
  /** Whether a seal may stand that names our candidate. Then it must not be removed. */
  #mayBeNamed = false;

  constructor(place: JournalPlace, writer: string, journal: RotatingJournal) {
    this.#place = place;
    this.#writer = writer;
    this.#journal = journal;
  }

  /** `true` when the head is sealed to a candidate that holds all of it. */
  async run(head: Segment, occasion: Occasion): Promise<boolean> {
    if (!(await this.#isWorthIt(head, occasion))) return false;
    const held = await this.#place.context.lock.acquire(this.#place.name, LOCK_PATIENCE_MS);
    try {
      return await this.#rewrite(head);
    } finally {
      await held?.release();
    }
  }

  /** A segment that is mostly what the session still holds would not become much shorter. */
  async #isWorthIt(head: Segment, occasion: Occasion): Promise<boolean> {
    const state = this.#stateOf(head);
    if (state === undefined) return false;
    if (occasion === "forced" || this.#place.context.rotateBytes === 0) return true;
    if (state.status === "deleted") return true; // who deletes wants it gone, however little it is
    return occasion === "grown" && (await this.#weighs(state, head.fold.end / 2));
  }

  #stateOf(head: Segment): SessionState | undefined {
    return stateAt(head.fold.state, this.#place.context.now() - EXPIRY_GRACE_MS);
  }

  /** Whether a state takes less than `bytes`. */
  async #weighs(state: SessionState, bytes: number): Promise<boolean> {
    let weight = 0;
    for (const fragment of baseFragments(state)) {
      weight += fragment.length;
      if (weight > bytes) return false;
      await this.#place.context.share.continue();
    }
    return true;
  }

  async #rewrite(head: Segment): Promise<boolean> {
    const { header } = head.fold;
    const state = this.#stateOf(head);
    if (header === undefined || state === undefined) return false;
    const candidate = new Candidate(this.#place, this.#writer, { id: header.id, g: head.g + 1 });
    // Commits go on while the state is written; what is new since then follows behind it.
    const news: CommitEntry[] = [];
    head.fold.onCommit = (entry) => news.push(entry);
    const expired = state !== head.fold.state;
    let sealed = false;
    try {
      await candidate.add(baseFragments(state));
      await candidate.sync();
      sealed = await this.#journal.undisturbed(() => this.#seal(head, candidate, news, expired));
      return sealed;
    } finally {
      head.fold.onCommit = undefined;
      candidate.close();
      if (!sealed && !this.#mayBeNamed) candidate.remove();
    }
  }

  /** The seal is the commit point: before it the candidate is nothing, after it the old segment is. */
  async #seal(head: Segment, candidate: Candidate, news: CommitEntry[], expired: boolean): Promise<boolean> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if ((await this.#journal.current()) !== head) return false; // somebody else has rotated
      // By somebody's clock a session that we take for expired still lives: then it is not ours to bury.
      if (expired && news.length > 0) return false;
      if (news.length > 0) {
        await candidate.add(commitFragments(news.splice(0)));
        await candidate.sync();
      } else if (this.#appendSeal(head, candidate)) {
        return true;
      }
    }
    return false;
  }

  #appendSeal(head: Segment, candidate: Candidate): boolean {
    const fragments = [sealFragment(candidate.name)];
    this.#mayBeNamed = true;
    const appended = head.append(this.#writer, {
      fragments,
      state: head.fold.state,
      entries: [],
      durable: false,
    });
    this.#mayBeNamed = appended === "appended";
    if (this.#mayBeNamed) head.fold.sealedTo = candidate.name;
    return this.#mayBeNamed;
  }
}
