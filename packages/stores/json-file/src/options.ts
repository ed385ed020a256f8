import type { StoreOptions } from "@sessions/protocol";

/** How a folder of journals is opened. */
export interface JsonFileStoreOptions extends StoreOptions {
  /** The folder. It is made if need be. */
  readonly root: string;
  /**
   * `strict`: a commit is on the disk before it is acknowledged. `relaxed`: it is handed to the operating system, and
   * may be lost when the machine (not the process) dies.
   * @default "strict"
   */
  readonly durability?: "strict" | "relaxed" | undefined;
  /**
   * From which size on a journal is considered for rewriting. It is rewritten if that halves it at least; if not, it
   * is looked at again when it has doubled. 0 rewrites after every commit.
   * @default 1048576
   */
  readonly rotateBytes?: number | undefined;
}
