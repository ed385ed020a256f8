import { createHash, type Hash } from "node:crypto";
import type { SessionBundle } from "@sessions/protocol";
import { objectIn } from "../../json/fields.js";
import { sessionDigest } from "../../sessions/session-digest.js";
import { InputCutOff } from "../input-cut-off.js";

/** The first line of a backup. A file that has it and no footer is cut off. */
export const BACKUP_HEADER = { format: "sessions-backup", version: 1, begins: true } as const;

/** The last line of a backup. */
export interface BackupFooter {
  readonly format: "sessions-backup";
  readonly version: 1;
  readonly sessions: number;
  readonly digest: string;
}

export function isHeader(value: unknown): boolean {
  return isOfBackup(value) && objectIn(value)?.["begins"] === true;
}

export function isFooter(value: unknown): value is BackupFooter {
  return isOfBackup(value) && !isHeader(value);
}

export function isOfBackup(value: unknown): boolean {
  return objectIn(value)?.["format"] === "sessions-backup";
}

/** Compares the sessions of a backup, as they are read, with what its last line says about them. */
export class BackupCheck {
  #digest: Hash = createHash("sha256");
  #sessions = 0;
  #isOpen = false;
  #isAltered = false;

  /** Whether a backup has begun and not ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  begin(): void {
    this.requireEnd();
    this.#digest = createHash("sha256");
    this.#sessions = 0;
    this.#isOpen = true;
    this.#isAltered = false;
  }

  add({ sessionId, session }: SessionBundle): void {
    this.#sessions++;
    if (!this.#isOpen) return;
    try {
      this.#digest.update(`${sessionDigest(sessionId, session)}\n`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#isAltered = true; // a field is missing, or of another type
    }
  }

  /** What is wrong with the sessions before this last line. `undefined` if they are those that were written. */
  end({ sessions, digest }: BackupFooter): string | undefined {
    const read = this.#sessions;
    // A backup without a first line was written before there was one.
    const isSame = !this.#isOpen || (!this.#isAltered && digest === this.#digest.digest("hex"));
    this.#isOpen = false;
    this.#sessions = 0;
    if (read !== sessions) return `ends a backup of ${sessions} sessions, and ${read} were read`;
    return isSame
      ? undefined
      : "ends a backup whose sessions were changed after it was written; they are read as they are now";
  }

  /** Throws if a backup has begun and not ended. */
  requireEnd(): void {
    if (this.#isOpen) throw new InputCutOff("the last line of the backup is missing");
  }
}
