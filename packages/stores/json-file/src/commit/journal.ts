import { type CommitOutcome, type CommitRequest, SessionError } from "@sessions/protocol/backend";
import { asSessionError, busy, noRoom, unconfirmable, unconfirmed } from "../error-mapping.js";
import { Damage } from "../session/damage.js";
import type { JournalPlace } from "../session/journal-folder.js";
import { JournalHead } from "../session/journal-head.js";
import { commitFragments } from "../session/lines/line-bodies.js";
import { own } from "../session/require-own-journal.js";
import type { Segment } from "../session/segment.js";
import { landedOutcome, readOn } from "./after-append.js";
import { genesis } from "./create-journal.js";
import { type Evaluated, evaluate, isAllApplied } from "./evaluate.js";
import { type Occasion, passesMark, Rotation } from "./rotation.js";
import { sweepSegments } from "./sweep-segments.js";
import { Courtesy, type CourtesyVisit } from "./write-fairness.js";

/** Nobody gives up before having lost this often. */
const FEWEST_LOST = 10;

/** One try to commit. */
interface Attempt {
  readonly sessionId: string;
  readonly requests: readonly CommitRequest[];
  /** How often others were faster. */
  readonly lost: number;
  readonly courtesy: CourtesyVisit;
}

/** One session's journal: segments, of which the newest that nobody has sealed is the head. */
export class Journal {
  readonly place: JournalPlace;
  readonly #writer: string;
  readonly #courtesy: Courtesy;
  readonly #head: JournalHead;
  #rotation: Promise<boolean> | undefined;
  #occasion: Occasion | undefined;
  /** Settles when a rotation has copied the last news: until then commits of this store wait. */
  #sealing: Promise<unknown> | undefined;

  constructor(place: JournalPlace) {
    this.place = place;
    this.#head = new JournalHead(place);
    this.#writer = place.context.nonce(6);
    this.#courtesy = new Courtesy(place.context.lock, place.name);
  }

  /** How many bytes of journal its state in memory stands for. */
  get weight(): number {
    return this.#head.known?.seen ?? 0;
  }

  /** Whether it has a file open. */
  get isOpen(): boolean {
    return this.#head.known !== undefined;
  }

  /**
   * The head, read to its end: all that any process has written. `undefined` if there never was such a session.
   * Refuses another session's journal if it is told which one this should be.
   */
  async read(sessionId?: string): Promise<Segment | undefined> {
    try {
      return own(await this.#head.current(), sessionId);
    } catch (error) {
      throw asSessionError(error, sessionId ?? this.#head.known?.fold.header?.id, this.#path);
    }
  }

  /** Applies requests of this session in order. Resolves when everything that the outcomes depend on is durable. */
  async commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const begun = performance.now();
    const courtesy = this.#courtesy.visit();
    try {
      for (let lost = 0; ; lost++) {
        if (this.#sealing !== undefined) await this.#sealing;
        const outcomes = await this.#attempt({ sessionId, requests, lost, courtesy });
        if (outcomes !== undefined) return outcomes;
        const waitedMs = performance.now() - begun;
        // Time alone says little: a process that was asleep has waited long and tried once.
        if (lost >= FEWEST_LOST && waitedMs > this.place.context.deadlineMs)
          throw busy(this.place.folder, waitedMs);
      }
    } catch (error) {
      throw asSessionError(error, sessionId, this.#path);
    } finally {
      const released = courtesy.after();
      if (released !== undefined) await released;
    }
  }

  /** Whether the last commits gave an occasion to rotate. Asking takes it. */
  takeOccasion(): Occasion | undefined {
    const occasion = this.#occasion;
    this.#occasion = undefined;
    return occasion;
  }

  /** Writes the state into a new segment, if there is an occasion to. `false` if the head stayed what it was. */
  rotate(occasion: Occasion): Promise<boolean> {
    // One that was begun for another reason may find that it is not worth it.
    if (this.#rotation !== undefined && occasion === "forced") {
      const again = (): Promise<boolean> => this.rotate(occasion);
      return this.#rotation.then(again, again);
    }
    this.#rotation ??= this.#rotate(occasion).finally(() => {
      this.#rotation = undefined;
    });
    return this.#rotation;
  }

  close(): void {
    this.#head.close();
  }

  get #path(): string {
    return this.#head.known?.path ?? this.place.folder;
  }

  /** `undefined` if somebody else was faster: then it has to be decided anew. */
  #attempt(attempt: Attempt): Promise<readonly CommitOutcome[] | undefined> | undefined {
    const { sessionId, requests, lost } = attempt;
    // Where nobody else has touched the file there is nothing to read first: the offset tells who comes in between.
    const familiar = lost === 0 ? this.#familiar(sessionId) : undefined;
    if (familiar !== undefined) this.place.context.format.checkOpen();
    const guess = familiar && evaluate(familiar.fold.state, requests);
    if (familiar !== undefined && guess !== undefined && isAllApplied(guess)) {
      return this.#append(familiar, guess, attempt);
    }
    return this.#attemptOnNews(attempt);
  }

  async #attemptOnNews(attempt: Attempt): Promise<readonly CommitOutcome[] | undefined> {
    const { sessionId, requests } = attempt;
    this.place.context.format.check();
    const head = own(await this.#head.current(), sessionId);
    if (head === undefined) return this.#begin(sessionId, requests);
    if (head.isClosing) return undefined; // another call has found damage in it, or a successor
    if (head.failure !== undefined || head.links > 1) return this.#leave(head);
    // From here on to the append nothing may be awaited: the state must be what the file says.
    const evaluated = evaluate(head.fold.state, requests);
    if (evaluated.entries.length > 0) return this.#append(head, evaluated, attempt);
    await this.#settle(head, head.fold.end);
    return evaluated.outcomes;
  }

  #familiar(sessionId: string): Segment | undefined {
    const head = this.#head.known;
    if (head === undefined || head.hadNews || head.links > 1 || head.failure !== undefined) return undefined;
    return head.fold.header?.id === sessionId && head.isUntouched() ? head : undefined;
  }

  /** No await on the way to the disk, and one behind it: this is what every commit waits for. */
  #append(
    head: Segment,
    evaluated: Evaluated,
    { requests, lost, courtesy }: Attempt,
  ): Promise<readonly CommitOutcome[] | undefined> | undefined {
    const fragments = commitFragments(evaluated.entries);
    const length = fragments.reduce((sum, fragment) => sum + fragment.length, 0);
    const wait = courtesy.before(length, lost, head.hadNews);
    if (wait !== undefined) return wait.then(() => undefined);
    const before = head.fold.end;
    const durable = this.place.context.strict;
    const { state, entries, outcomes } = evaluated;
    const appended = head.append(this.#writer, { fragments, state, entries, durable });
    if (appended === "overtaken") return undefined;
    const { end } = head.fold;
    if (appended === "full") return this.#afterShortWrite(head, requests);
    this.#occasion ??= this.#occasionOf(head, before);
    if (!head.isAtHome && !this.#isReplaced(head)) return undefined;
    return this.#acknowledged(head, end, outcomes, courtesy.after());
  }

  /**
   * Of a short write the whole lines count: what stands in them was applied, and the rest was not. The file tells which.
   * A single commit counts with its last line only, so nothing of it was applied.
   */
  async #afterShortWrite(
    head: Segment,
    requests: readonly CommitRequest[],
  ): Promise<readonly CommitOutcome[]> {
    if (requests.length === 1) throw noRoom(head.path);
    try {
      const now = await this.#head.current();
      if (now === undefined) throw new Damage(0, "the journal has vanished");
      const outcomes = requests.map((request) => landedOutcome(now, request));
      await this.#settle(now, now.fold.end);
      return outcomes;
    } catch (error) {
      throw unconfirmed(head.path, error);
    }
  }

  async #acknowledged(
    head: Segment,
    end: number,
    outcomes: readonly CommitOutcome[],
    released: Promise<void> | undefined,
  ): Promise<readonly CommitOutcome[]> {
    const confirming = this.place.context.strict ? head.confirming(end) : undefined;
    if (confirming !== undefined) await confirming;
    if (!head.isConfirmed(end)) await this.#settle(head, end);
    if (released !== undefined) await released;
    return outcomes;
  }

  /**
   * Whether a file without its name was replaced by a rotation, which has taken along what came before its seal. If not,
   * somebody has put it away, and what was appended is nobody's.
   */
  #isReplaced(head: Segment): boolean {
    const isReplaced = head.fold.sealedTo !== undefined || readOn(head).sealedTo !== undefined;
    if (!isReplaced && this.#head.known === head) this.close();
    return isReplaced;
  }

  #occasionOf({ fold }: Segment, before: number): Occasion | undefined {
    if (fold.state?.status === "deleted") return "ended";
    return passesMark(before, fold.end, this.place.context.rotateBytes) ? "grown" : undefined;
  }

  async #begin(
    sessionId: string,
    requests: readonly CommitRequest[],
  ): Promise<readonly CommitOutcome[] | undefined> {
    const { outcomes, entries } = evaluate(undefined, requests);
    if (entries.length === 0) return outcomes;
    return (await genesis(this.place, sessionId, this.#writer, entries)) ? outcomes : undefined;
  }

  /** What an outcome depends on may have been written by others, who have not waited for the disk yet. */
  async #settle(head: Segment, end: number): Promise<void> {
    if (!this.place.context.strict) return;
    await head.sync(end, [this.place.folder, this.place.context.sessions]);
    sweepSegments(this.place, head);
  }

  /** A segment that cannot be trusted, or that has other names, is not written to any more. */
  async #leave(head: Segment): Promise<undefined> {
    if (head.links > 1) {
      const message = `${head.path} has ${head.links} names. The journal goes on in a new file. Copy a store, do not link it.`;
      this.place.context.warnings.give({ code: "HARD_LINKS", message, path: head.path });
    }
    const left = (await this.#rotatedAway(head)) || this.#head.known !== head;
    if (!left && head.failure !== undefined) throw unconfirmable(head.path, head.failure);
  }

  /** The commit that waits for this has written nothing yet: a rotation in doubt leaves no doubt about the commit. */
  async #rotatedAway(head: Segment): Promise<boolean> {
    try {
      return await this.rotate("forced");
    } catch (error) {
      throw SessionError.is(error, "OUTCOME_UNKNOWN") ? unconfirmable(head.path, error) : error;
    }
  }

  async #rotate(occasion: Occasion): Promise<boolean> {
    this.place.context.format.check();
    const head = await this.#head.current();
    if (head === undefined) return false;
    const rotation = new Rotation(this.place, this.#writer, {
      current: () => this.#head.current(),
      undisturbed: (work) => this.#undisturbed(work),
    });
    if (!(await rotation.run(head, occasion))) return false;
    const next = await this.#head.current();
    if (next === undefined) return false;
    await next.sync(0, [this.place.folder, this.place.context.sessions]);
    sweepSegments(this.place, next);
    return true;
  }

  async #undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
    const sealing = work();
    this.#sealing = sealing.catch(() => undefined); // whoever waits goes on, whatever became of it
    try {
      return await sealing;
    } finally {
      this.#sealing = undefined;
    }
  }
}
