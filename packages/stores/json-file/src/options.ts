import { type OptionNames, STORE_OPTIONS, type StoreOptions } from "@sessions/protocol/backend";
import type { JsonFileWarning } from "./warning.js";

/** How a folder of journals is opened. */
export interface JsonFileStoreOptions extends StoreOptions {
  /** The folder. It is made if there is none. */
  readonly root: string;
  /**
   * `strict`: a commit is on the disk before it is acknowledged. `relaxed`: it is handed to the operating system, and
   * may be lost when the machine (not the process) dies.
   * @default "strict"
   */
  readonly durability?: "strict" | "relaxed" | undefined;
  /**
   * `true`: nothing on the disk is made or changed, and every mutator fails with STORE_UNAVAILABLE. `false`: opening fails
   * where this process may not write. Without it, a store that exists and may not be written to is opened read-only.
   * @default what the system allows
   */
  readonly readOnly?: boolean | undefined;
  /**
   * Whether to open a folder on a network file system, where acknowledged commits can be lost. Without it that is
   * refused with INVALID_ARGUMENT.
   * @default false
   */
  readonly allowNetworkFileSystem?: boolean | undefined;
  /**
   * Called with what an operator should know, each thing once. What it throws does not reach the store. `describe()` has
   * the same warnings.
   * @default none: warnings are kept for `describe()`
   */
  readonly onWarning?: ((warning: JsonFileWarning) => void) | undefined;
  /**
   * The mode of files that are made, less the umask.
   * @default 0o600
   */
  readonly fileMode?: number | undefined;
  /**
   * The mode of folders that are made, less the umask.
   * @default 0o700
   */
  readonly folderMode?: number | undefined;
  /**
   * How long a commit may keep losing against other writers before it fails with STORE_BUSY, in milliseconds.
   * @default 10000
   */
  readonly lockDeadlineMs?: number | undefined;
  /**
   * From which size on a journal is considered for rewriting, in bytes. It is rewritten if that halves it at least; if
   * not, it is looked at again when it has doubled. 0 rewrites after every commit.
   * @default 1048576
   */
  readonly rotateBytes?: number | undefined;
  /**
   * How much memory the states of sessions may take that were read or written lately, in bytes. Those used longest ago are
   * dropped first; the one used last stays in any case. A dropped session is read from its file when it is next used.
   * @default 67108864
   */
  readonly cacheBytes?: number | undefined;
  /**
   * How many journals are kept open. It does not limit how many sessions are in memory.
   * @default 256
   */
  readonly maxOpenFiles?: number | undefined;
}

export const JSON_FILE_STORE_OPTIONS: OptionNames<JsonFileStoreOptions> = {
  ...STORE_OPTIONS,
  root: "text",
  durability: ["strict", "relaxed"],
  readOnly: "boolean",
  allowNetworkFileSystem: "boolean",
  onWarning: "function",
  fileMode: "count",
  folderMode: "count",
  lockDeadlineMs: "count",
  rotateBytes: "count",
  cacheBytes: "count",
  maxOpenFiles: "count",
};
