import type { SessionStore } from "@sessions/protocol";
import { message } from "./operations/samples.js";

/** The write of another process in the middle of an operation. */
export async function writeAsOther(store: SessionStore, sessionId: string): Promise<void> {
  await store.addMessage(sessionId, message("written-by-another"));
}
