import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { onTestEnd } from "./own-cleanup.js";

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
      onTestEnd(() => store.close());
      return store;
    },
  };
}
