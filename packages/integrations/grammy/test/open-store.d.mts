import type { SessionStore, StoreOptions } from "@sessions/protocol";

export interface StorePlace extends StoreOptions {
  readonly kind: string;
  /** A folder, or a server's address. */
  readonly at: string;
  readonly prefix?: string;
}
export const openStore: (place: StorePlace) => Promise<SessionStore>;
