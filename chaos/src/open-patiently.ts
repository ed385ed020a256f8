import { setTimeout } from "node:timers/promises";
import { SessionError, type SessionStore } from "@sessions/protocol";

const PAUSE_MS = 50;
const DEADLINE_MS = 20_000;

/** Opens a store. A disk that is full now will have room again. */
export async function openPatiently(open: () => Promise<SessionStore>): Promise<SessionStore> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!SessionError.is(error, "STORE_FULL") || performance.now() > deadline) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
