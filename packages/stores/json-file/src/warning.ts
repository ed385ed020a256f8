/** What a warning is about. Codes are stable; there may be more of them later. */
export type JsonFileWarningCode =
  /** Other processes are not told of changes at once; they find them by looking now and then. */
  | "DOORBELL_FAILED"
  /** The operating system does not tell of changes; they are found by looking now and then. */
  | "WATCH_UNAVAILABLE"
  /** The folder is on a network file system, and was opened all the same. */
  | "NETWORK_FILE_SYSTEM"
  /** Nobody could say whether the folder is on a network file system. */
  | "FILE_SYSTEM_UNKNOWN"
  /** The store is open for reading only. */
  | "READ_ONLY"
  /** A journal has more than one name, so that a copy of the folder may write into it. */
  | "HARD_LINKS"
  /** A journal could not be rewritten. It goes on growing. */
  | "ROTATION_FAILED"
  /** A lock was taken away from its holder, or could not be given back. It orders writers, and protects nothing. */
  | "LOCK_TROUBLE"
  /** The folder above the store could not be synced. */
  | "PARENT_NOT_SYNCED"
  /** Something in the folder of all sessions is no session's. It is ignored. */
  | "FOREIGN_ENTRY"
  /** A session is damaged, or its files cannot be read. Lists leave it out; whoever reads it is told. */
  | "UNREADABLE_SESSION"
  /** A file that is not needed any more could not be removed. It only takes room. */
  | "LEFTOVERS"
  /** A file could not be closed, or none could be kept open in reserve. What was acknowledged is on the disk all the same. */
  | "HANDLE_TROUBLE"
  /** The hook for warnings itself has failed. */
  | "HOOK_FAILED";

/** Something that an operator should know, and that stops nobody. */
export interface JsonFileWarning {
  readonly code: JsonFileWarningCode;
  /** What happened, and what to do. */
  readonly message: string;
  /** The file or folder that it is about. */
  readonly path?: string;
  readonly cause?: unknown;
}
