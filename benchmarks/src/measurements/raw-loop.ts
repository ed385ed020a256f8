import type { StoreUnderTest } from "../stores/store-under-test.js";

/** The same work on the engine itself, without a store: what is possible at all. */
export interface RawLoop {
  /** As it is called in the table. */
  readonly name: string;
  /** Starts it in an empty folder. It writes what the store would write. */
  start(folder: string, store: StoreUnderTest): Promise<RawAppender>;
}

interface RawAppender extends AsyncDisposable {
  /** Writes one message, durably. */
  append(): Promise<unknown>;
}
