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
    find: "if (checksum === undefined || checksum !== checksumOf(line.subarray(0, -SEAL_LENGTH), salt))",
    replace: "if (checksum === undefined)",
  },
  {
    name: "no offset check by readers",
    scenario: "one overtakes the other",
    file: "session/fold.js",
    find: "if (record.o !== this.end)",
    replace: "if (record.o > this.end)",
  },
  {
    name: "no offset check by writers",
    scenario: "one overtakes the other",
    file: "session/segment.js",
    find: "if (!this.#landed(start, bytes))",
    replace: "if (false)",
  },
  {
    name: "acknowledged before fsync",
    scenario: "delete and create again",
    file: "commit/journal.js",
    find: "return this.#acknowledged(head, end, outcomes, courtesy.after());",
    replace: "return Promise.resolve(outcomes);",
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
    file: "session/segment.js",
    find: "const torn = start > this.fold.end ? TORN : NOTHING;",
    replace: "const torn = NOTHING;",
  },
  {
    name: "a duplicate acknowledged from another's unsynced bytes",
    scenario: "the same commit by both",
    file: "commit/journal.js",
    find: "await this.#settle(head, head.fold.end);",
    replace: "",
  },
  {
    name: "a write that does not say what the disk has not confirmed",
    scenario: "append, two batches under way",
    file: "session/segment.js",
    find: "Math.min(start, this.#disk.unconfirmedFrom)",
    replace: "start",
  },
  { name: "candidates swept by age", scenario: "rotation", on: sweptCandidates },
];
