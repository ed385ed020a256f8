/** What a warning is about. Codes are stable; there may be more of them later. */
export type JsonFileWarningCode =
  /** Watchers in other processes are not woken. They find changes by polling. */
  | "DOORBELL_FAILED"
  /** The operating system reports no changes. They are found by polling. */
  | "WATCH_UNAVAILABLE"
  /** The folder is on a network file system, and was opened because the caller allows that. */
  | "NETWORK_FILE_SYSTEM"
  /** It is unknown whether the folder is on a network file system. */
  | "FILE_SYSTEM_UNKNOWN"
  /** The store is open for reading only. */
  | "READ_ONLY"
  /** A journal has more than one name, so that a copy of the folder may write into it. */
  | "HARD_LINKS"
  /** A journal could not be rewritten. It continues to grow. */
  | "ROTATION_FAILED"
  /** A lock was taken away from its holder, or could not be released. Locks prevent starvation, and protect no data. */
  | "LOCK_TROUBLE"
  /** The folder above the store could not be synced. */
  | "PARENT_NOT_SYNCED"
  /** An entry of the folder of all sessions belongs to no session. It is ignored. */
  | "FOREIGN_ENTRY"
  /** A session is damaged, or its files cannot be read. Lists leave it out; calls on it fail. */
  | "UNREADABLE_SESSION"
  /** A file that is not needed any more could not be removed. It only takes space. */
  | "LEFTOVERS"
  /** A file could not be closed, or none could be kept open in reserve. What was acknowledged is on the disk all the same. */
  | "HANDLE_TROUBLE"
  /** `onWarning` has failed. */
  | "HOOK_FAILED";

/** Something that an operator should know. No call fails because of it. */
export interface JsonFileWarning {
  readonly code: JsonFileWarningCode;
  /** What happened, and what to do. */
  readonly message: string;
  /** The file or folder that it is about. */
  readonly path?: string;
  readonly cause?: unknown;
}
