import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { onTestFinished } from "vitest";

/** A place for sessions: every store that is opened there sees the same. */
export interface Place {
  /** Opens a store there, which is closed when the test is over. */
  open(options?: StoreOptions): Promise<SessionStore>;
}

/** A place where stores are opened like this. */
export function placeOf(open: (options?: StoreOptions) => Promise<SessionStore>): Place {
  return {
    async open(options) {
      const store = await open(options);
      onTestFinished(() => store.close());
      return store;
    },
  };
}
