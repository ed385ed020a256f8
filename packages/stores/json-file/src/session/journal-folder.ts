import { join } from "node:path";
import type { JournalContext } from "./journal-context.js";

/** The folder of one session, and the names in it. */
export class JournalFolder {
  readonly context: JournalContext;
  /** The name of the folder. */
  readonly name: string;
  readonly path: string;

  constructor(context: JournalContext, name: string) {
    this.context = context;
    this.name = name;
    this.path = join(context.sessions, name);
  }

  /** The folders whose syncs put the name of a segment on the disk. */
  get withParent(): readonly string[] {
    return [this.path, this.context.sessions];
  }

  segment(g: number): string {
    return join(this.path, `${g}.jsonl`);
  }

  candidate(name: string): string {
    return join(this.path, name);
  }

  /** A new name for what may become segment `g`. */
  candidateName(g: number): string {
    return `${g}.${this.context.nonce(8)}.candidate`;
  }

  /** Segments and candidates, each with the number that it has or may get. */
  contents(): readonly FolderEntry[] {
    return this.context.fileSystem.list(this.path).flatMap((name) => {
      const [, g, kind] = /^([1-9]\d{0,14})\.(jsonl|[0-9a-f]+\.candidate)$/.exec(name) ?? [];
      return g === undefined ? [] : [{ name, g: Number(g), isSegment: kind === "jsonl" }];
    });
  }

  /** The number of the newest segment; `undefined` if there is none. */
  newest(): number | undefined {
    const numbers = this.contents().flatMap(({ g, isSegment }) => (isSegment ? [g] : []));
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }
}

interface FolderEntry {
  readonly name: string;
  readonly g: number;
  readonly isSegment: boolean;
}
