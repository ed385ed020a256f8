import type { FileSystem } from "../../src/engine/file-system.js";
import { lateSync, noFolderSync, sweptCandidates } from "./broken-file-systems.js";

/** A broken variant of the store that the enumeration must catch. */
export type Twin = {
  readonly name: string;
  /** The scenario that it goes wrong in. */
  readonly scenario: string;
} & (
  | {
      /** A file of `dist/`, and a text that occurs in it once. */
      readonly file: string;
      readonly find: string;
      readonly replace: string;
    }
  /** The same store on a file system that breaks a promise. */
  | { readonly on: (fileSystem: FileSystem) => FileSystem }
);

/** Each breaks one thing that keeps the store safe. */
export const TWINS: readonly Twin[] = [
  { name: "no folder fsync", scenario: "create", on: noFolderSync },
  { name: "move before fsync", scenario: "create", on: lateSync },
  {
    name: "no checksum",
    scenario: "one builds upon the other",
    file: "session/lines/checksummed-line.js",
    find: "if (checksum === undefined || checksum !== checksumOf(line.subarray(0, -TRAILER_LENGTH), salt))",
    replace: "if (checksum === undefined)",
  },
  {
    name: "no offset check by readers",
    scenario: "one overtakes the other",
    file: "session/fold.js",
    find: "if (read.record.o !== read.offset)",
    replace: "if (read.record.o > read.offset)",
  },
  {
    name: "no offset check by writers",
    scenario: "one overtakes the other",
    file: "commit/append-lines.js",
    find: "if (!hasLanded(segment, start, bytes))",
    replace: "if (false)",
  },
  {
    name: "acknowledged before fsync",
    scenario: "delete and create again",
    file: "commit/journal-committer.js",
    find: "await Promise.all([this.#confirm(head, head.fold.end), turn.end()]);",
    replace: "this.#confirm(head, head.fold.end);",
  },
  {
    name: "a torn tail closed by a bare line end",
    scenario: "delete and create again",
    file: "session/lines/crash-traces.js",
    find: 'Buffer.from("#torn\\n")',
    replace: 'Buffer.from("\\n")',
  },
  {
    name: "a torn tail not closed",
    scenario: "delete and create again",
    file: "commit/append-lines.js",
    find: "const torn = unfinished.length > 0 ? TORN : NOTHING;",
    replace: "const torn = NOTHING;",
  },
  {
    name: "a duplicate acknowledged from another's unsynced bytes",
    scenario: "the same commit by both",
    file: "commit/journal-committer.js",
    find: "await this.#confirm(head, head.fold.end);",
    replace: "",
  },
  {
    name: "a seal that does not say what the disk has not confirmed",
    scenario: "a commit while its store rotates",
    file: "commit/append-lines.js",
    find: "progress.unconfirmedFrom ?? start",
    replace: "start",
  },
  {
    name: "a write that does not say what the disk has not confirmed",
    scenario: "append in several lines",
    file: "session/lines/encode-lines.js",
    find: "unconfirmedFrom < offset",
    replace: "false",
  },
  { name: "candidates swept by age", scenario: "rotation", on: sweptCandidates },
];
