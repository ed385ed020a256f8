import type { SessionStore } from "@sessions/protocol";

/** What one call of an operation works with. */
export interface CallContext {
  readonly store: SessionStore;
  /** The same id when a call is sent again, another id for a new call. */
  readonly commitId: string;
  /** What `prepare` returned. */
  readonly prepared: string;
  /** Opens another store on the same data. The trial closes it. */
  open(): Promise<SessionStore>;
}

interface ContextParts extends Omit<CallContext, "store"> {
  readonly store: SessionStore | undefined;
}

/** The context of a call. Its `store` throws if there is none, because the operation opens its own. */
export function callContext({ store, ...context }: ContextParts): CallContext {
  return {
    ...context,
    get store() {
      if (store === undefined) throw new Error("this operation opens its own store");
      return store;
    },
  };
}
