import { join } from "node:path";
import type { LoopShare } from "@sessions/protocol/backend";
import type { FileLock } from "../engine/file-lock.js";
import type { FileSystem } from "../engine/file-system.js";
import type { StoreFormat } from "../engine/store-format.js";
import type { Warnings } from "../warnings.js";

/** What the journals of a store have in common. */
export interface JournalContext {
  readonly fileSystem: FileSystem;
  /** Looked at before every write. */
  readonly format: StoreFormat;
  readonly lock: FileLock;
  readonly share: LoopShare;
  readonly warnings: Warnings;
  readonly now: () => number;
  /** Random hexadecimal digits, two for each byte. */
  readonly nonce: (bytes: number) => string;
  /** The folder of all sessions. */
  readonly sessions: string;
  /** Where folders are prepared; on the same file system. */
  readonly tmp: string;
  /** Whether to wait for the disk before acknowledging. */
  readonly strict: boolean;
  readonly writable: boolean;
  /** From which size on a segment is considered for rotation. */
  readonly rotateBytes: number;
  /** How long a commit may keep losing against other writers. */
  readonly deadlineMs: number;
}

/** Where one session's journal is kept. */
export class JournalPlace {
  readonly context: JournalContext;
  /** The name of the session's folder. */
  readonly name: string;
  readonly folder: string;

  constructor(context: JournalContext, name: string) {
    this.context = context;
    this.name = name;
    this.folder = join(context.sessions, name);
  }

  segment(g: number): string {
    return join(this.folder, `${g}.jsonl`);
  }

  candidate(name: string): string {
    return join(this.folder, name);
  }

  /** A new name for what may become segment `g`. */
  candidateName(g: number): string {
    return `${g}.${this.context.nonce(8)}.candidate`;
  }

  /** What is in the folder, by the number of the segment that it is or may become. */
  contents(): readonly FolderEntry[] {
    return this.context.fileSystem.list(this.folder).flatMap((name) => {
      const [, g, kind] = /^([1-9]\d{0,14})\.(jsonl|[0-9a-f]+\.candidate)$/.exec(name) ?? [];
      return g === undefined ? [] : [{ name, g: Number(g), segment: kind === "jsonl" }];
    });
  }

  /** The number of the newest segment; `undefined` if there is none. */
  newest(): number | undefined {
    const numbers = this.contents().flatMap(({ g, segment }) => (segment ? [g] : []));
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }
}

interface FolderEntry {
  readonly name: string;
  readonly g: number;
  readonly segment: boolean;
}
