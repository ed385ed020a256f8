import { sessionsMissing } from "../error-mapping.js";
import { asDamage } from "./as-damage.js";
import { Damage } from "./damage.js";
import type { JournalPlace } from "./journal-folder.js";
import { Segment } from "./segment.js";

/** The head moves on while we look for it; this often only if something is wrong with the folder. */
const MOST_MOVES = 1000;

/** The newest segment of a journal that nobody has sealed: finds it, follows it, reads it. */
export class JournalHead {
  readonly #place: JournalPlace;
  #segment: Segment | undefined;

  constructor(place: JournalPlace) {
    this.#place = place;
  }

  /** The segment that was the head when it was last looked at. */
  get known(): Segment | undefined {
    return this.#segment;
  }

  close(): void {
    this.#segment?.close();
    this.#segment = undefined;
  }

  /** Reads on to the present end of the present head. Lets others have their turn now and then. */
  async current(): Promise<Segment | undefined> {
    for (let moves = 0; moves < MOST_MOVES; ) {
      const step = this.#step();
      if (step === "absent") return undefined;
      if (step === "moved") moves++;
      else if (step !== "more") return step;
      await this.#place.context.share.continue();
    }
    throw new Damage(0, "the newest segment cannot be found");
  }

  /**
   * Each step leaves everything in order, so that calls may take theirs in turn. A segment that could not be read is
   * dropped at once: the next call reads the file from its beginning, finds the same damage, or finds it repaired.
   */
  #step(): Segment | "more" | "moved" | "absent" {
    try {
      return this.#next();
    } catch (error) {
      const path = this.#segment?.path;
      this.close();
      const problem = asDamage(error);
      if (problem instanceof Damage && path !== undefined) problem.path ??= path;
      throw problem;
    }
  }

  #next(): Segment | "more" | "moved" | "absent" {
    this.#segment ??= this.#open();
    if (this.#segment === undefined) return this.#isAbsent() ? "absent" : "moved";
    const head = this.#segment;
    const stat = this.#place.context.fileSystem.stat(head.path);
    if (stat === undefined || !head.isAt(stat)) {
      this.close();
      return "moved";
    }
    if (!head.readTo(stat)) return "more";
    if (head.fold.header?.g !== head.g) throw new Damage(0, "the header is missing, or of another segment");
    // A segment comes into its place with a state in it: without one, something was cut off.
    if (head.fold.state === undefined)
      throw new Damage(head.fold.end, "everything after the header is missing");
    if (head.fold.sealedTo === undefined) return head;
    this.#follow(head, head.fold.sealedTo);
    return "moved";
  }

  #open(): Segment | undefined {
    const g = this.#place.newest();
    if (g === undefined) return undefined;
    const { fileSystem, writable } = this.#place.context;
    return Segment.open(fileSystem, this.#place.segment(g), g, writable);
  }

  /** A session's folder comes with its journal in it and is never emptied: without it there is no session. */
  #isAbsent(): boolean {
    const { fileSystem, sessions } = this.#place.context;
    if (fileSystem.stat(this.#place.folder) === undefined) {
      if (fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
      return true;
    }
    if (this.#place.newest() === undefined)
      throw new Damage(0, "the journal is missing from the session's folder");
    return false;
  }

  /** The segment was sealed: whoever sees that first gives the candidate its name. */
  #follow(head: Segment, candidate: string): void {
    const { fileSystem, writable } = this.#place.context;
    const from = this.#place.candidate(candidate);
    this.close();
    if (!writable) {
      this.#segment = Segment.open(fileSystem, from, head.g + 1, false);
      return;
    }
    const moved = fileSystem.move(from, this.#place.segment(head.g + 1));
    if (moved === "missing" && this.#place.newest() === head.g) {
      throw new Damage(head.fold.end, `the segment that follows (${candidate}) is missing`);
    }
  }
}
