import { createStore, type SessionStore, systemClock } from "@sessions/protocol/backend";
import type { CaseContext } from "../case.js";

/** Opens a store on the same data whose wall clock is ahead or behind, as on a machine with a wrong time. */
export async function openSkewed({ openBackend }: CaseContext, aheadMs: number): Promise<SessionStore> {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  return createStore(await openBackend(), { clock });
}
