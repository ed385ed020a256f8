import type { StoreUnderTest } from "../stores/store-under-test.js";

/** The same work on the engine itself without a store, which is the upper limit. */
export interface RawLoop {
  /** Its name in the table. */
  readonly name: string;
  /** How many messages one `append` writes. @default 1 */
  readonly messagesPerAppend?: number;
  /** Starts the loop in an empty folder. It writes as much as the store would. */
  start(folder: string, store: StoreUnderTest): Promise<RawAppender>;
}

interface RawAppender extends AsyncDisposable {
  /** Writes messages durably. */
  append(): Promise<unknown>;
}
