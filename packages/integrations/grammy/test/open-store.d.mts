import type { SessionStore, StoreOptions } from "@sessions/protocol";

export interface StorePlace extends StoreOptions {
  readonly kind: string;
  readonly root: string;
}
export const openStore: (place: StorePlace) => Promise<SessionStore>;
