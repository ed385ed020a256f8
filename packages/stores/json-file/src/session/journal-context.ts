import type { LoopShare } from "@sessions/protocol/backend";
import type { FileLock } from "../engine/file-lock.js";
import type { FileSystem } from "../engine/file-system.js";
import type { StoreFormat } from "../engine/store-format.js";
import type { Warnings } from "../warnings.js";

/** What the journals of a store have in common. */
export interface JournalContext {
  readonly fileSystem: FileSystem;
  /** Checked by every read and every write. */
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
