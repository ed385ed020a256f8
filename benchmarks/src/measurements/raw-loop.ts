import type { StoreUnderTest } from "../stores/store-under-test.js";

/** The same work on the engine itself, without a store: what is possible at all. */
export interface RawLoop {
  /** As it is called in the table. */
  readonly name: string;
  /** How many messages one `append` writes. @default 1 */
  readonly messagesPerAppend?: number;
  /** Starts it in an empty folder. It writes what the store would write. */
  start(folder: string, store: StoreUnderTest): Promise<RawAppender>;
}

interface RawAppender extends AsyncDisposable {
  /** Writes its messages, durably. */
  append(): Promise<unknown>;
}
