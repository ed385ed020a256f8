import type { SessionStore } from "@sessions/protocol";

export declare const sharedKinds: readonly string[];
export declare function openStore(place: {
  readonly kind: string;
  readonly root: string;
}): Promise<SessionStore>;
