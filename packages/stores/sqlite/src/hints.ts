import type { ExtendOperation } from "@sessions/protocol/backend";
import type { StagedMessages } from "./staged.js";

/** What a transaction knows of the messages that it is about to write. */
export interface Hints {
  /** Extensions of messages that nothing else has touched. */
  readonly extensions: ReadonlyMap<string, readonly ExtendOperation[]>;
  /** Messages that are in the table already. */
  readonly staged: StagedMessages | undefined;
}
