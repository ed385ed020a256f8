import type { OptionNames } from "@sessions/protocol/backend";

/** How far a backup is. */
export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** How a backup is made. */
export interface BackupOptions {
  /** Told after every step. */
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
  /** Gives the backup up; nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

export const BACKUP_OPTIONS: OptionNames<BackupOptions> = { onProgress: "function", signal: "signal" };
