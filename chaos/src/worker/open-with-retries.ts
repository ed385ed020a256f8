import { setTimeout } from "node:timers/promises";
import { type ErrorCode, SessionError, type SessionStore } from "@sessions/protocol";

const PAUSE_MS = 50;
const DEADLINE_MS = 20_000;

/** Opens a store. Retries while the disk is full, the server is down, or a slot is being moved: all of them end soon. */
export async function openWithRetries(
  open: () => Promise<SessionStore>,
  tolerates: readonly ErrorCode[],
): Promise<SessionStore> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!SessionError.is(error, "STORE_FULL", "STORE_BUSY", ...tolerates) || performance.now() > deadline)
        throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
