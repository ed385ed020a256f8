import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { onTestEnd } from "./test-cleanup.js";

/** Data that several stores may be opened on. All of them have the same sessions. */
export interface Place {
  /** Opens a store on the data. It is closed when the test has ended. */
  open(options?: StoreOptions): Promise<SessionStore>;
}

/** A place whose stores are opened by this function. */
export function placeOf(open: (options?: StoreOptions) => Promise<SessionStore>): Place {
  return {
    async open(options) {
      const store = await open(options);
      onTestEnd(() => store.close());
      return store;
    },
  };
}
