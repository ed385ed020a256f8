import { Damage } from "@sessions/protocol/backend";
import { asSessionError, sessionsMissing } from "../error-mapping.js";
import { asDamage } from "./as-damage.js";
import type { JournalFolder } from "./journal-folder.js";
import { Segment } from "./segment.js";

/** The head moves on while it is looked for; this often only if something is wrong with the folder. */
const MAX_MOVES = 1000;

/** What one step towards the head found. */
type Step = Segment | "more" | "moved" | "absent";

/** One session's journal. Its head is the newest segment that is not sealed: found, followed and read here. */
export class Journal {
  readonly folder: JournalFolder;
  #head: Segment | undefined;

  constructor(folder: JournalFolder) {
    this.folder = folder;
  }

  /** The segment that was the head at the last look. */
  get head(): Segment | undefined {
    return this.#head;
  }

  /** Where to look for what went wrong. */
  get path(): string {
    return this.#head?.path ?? this.folder.path;
  }

  /** The head, read to its end: everything that any process has written. `undefined` if there never was such a session. */
  async read(sessionId?: string): Promise<Segment | undefined> {
    try {
      return await this.current(sessionId);
    } catch (error) {
      throw asSessionError(error, sessionId ?? this.#head?.fold.header?.id, this.path);
    }
  }

  /** The same, with errors as they come. Yields to the event loop between two slices. */
  async current(sessionId?: string): Promise<Segment | undefined> {
    for (let moves = 0; moves < MAX_MOVES; ) {
      const step = this.#step();
      if (step === "absent") return undefined;
      if (step === "moved") moves++;
      else if (step !== "more") return this.#own(step, sessionId);
      await this.folder.context.share.continue();
    }
    throw new Damage(this.folder.path, "the newest segment cannot be found");
  }

  /** Closes the file. What was read stays in memory. */
  release(): void {
    this.#head?.release();
  }

  /** Closes the file and forgets what was read. */
  close(): void {
    this.release();
    this.#head = undefined;
  }

  /** Each step leaves the journal consistent, so that steps of several calls may interleave. */
  #step(): Step {
    try {
      return this.#next();
    } catch (error) {
      const { path } = this;
      this.close(); // the next call reads the file from its start, and finds the damage again or finds it repaired
      throw asDamage(error, path);
    }
  }

  #next(): Step {
    const { format } = this.folder.context;
    // An open format file does not show that the whole store was replaced. The head does then, and is dropped.
    if (this.#head === undefined) format.check();
    else format.checkOpen();
    this.#head ??= this.#open();
    if (this.#head === undefined) return this.#isAbsent() ? "absent" : "moved";
    const stat = this.#head.look();
    if (stat === undefined) {
      this.close();
      return "moved";
    }
    return this.#head.readTo(stat) ? this.#whole(this.#head) : "more";
  }

  #open(): Segment | undefined {
    const { fileSystem, writable } = this.folder.context;
    const g = this.folder.newest();
    return g === undefined
      ? undefined
      : Segment.open(fileSystem, { path: this.folder.segment(g), g, writable });
  }

  /** A session's folder comes with its journal in it and is never emptied: without the folder there is no session. */
  #isAbsent(): boolean {
    const { fileSystem, sessions } = this.folder.context;
    if (fileSystem.stat(this.folder.path) === undefined) {
      if (fileSystem.stat(sessions) === undefined) throw sessionsMissing(sessions);
      return true;
    }
    if (this.folder.newest() === undefined)
      throw new Damage(this.folder.path, "the journal is missing from the session's folder");
    return false;
  }

  /** The segment, or the way to the next one if it is sealed. A segment comes into its place with a state in it. */
  #whole(head: Segment): Step {
    const { header, state, end, sealedTo } = head.fold;
    if (header?.g !== head.g)
      throw new Damage(`${head.path} at byte 0`, "the header is missing, or of another segment");
    if (state === undefined)
      throw new Damage(`${head.path} at byte ${end}`, "everything after the header is missing");
    if (sealedTo === undefined) return head;
    this.#follow(head, sealedTo);
    return "moved";
  }

  /** The first process that sees a seal gives the candidate its name. */
  #follow(head: Segment, candidate: string): void {
    const { fileSystem, writable } = this.folder.context;
    const path = this.folder.candidate(candidate);
    const g = head.g + 1;
    this.close();
    if (!writable) {
      this.#head = Segment.open(fileSystem, { path, g, writable });
      return;
    }
    const moved = fileSystem.move(path, this.folder.segment(g));
    if (moved === "missing" && this.folder.newest() === head.g)
      throw new Damage(
        `${head.path} at byte ${head.fold.end}`,
        `the segment that follows (${candidate}) is missing`,
      );
  }

  /** A folder that was copied or renamed holds the journal of another session than its name says. */
  #own(head: Segment, sessionId: string | undefined): Segment {
    const id = head.fold.header?.id;
    if (sessionId === undefined || id === sessionId) return head;
    throw new Damage(`${head.path} at byte 0`, `the journal is that of session "${id}"`);
  }
}
