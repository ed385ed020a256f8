import { append, type BeginTurnResult, SessionError } from "@sessions/protocol";
import type { Settings } from "../settings.js";
import type { UpdateRequest } from "./update-request.js";

/** How many of the newest messages tell what a turn finds. */
export const TAIL: { readonly last: number } = { last: 64 };

/** Gets the conversation's turn, as the policy says. `entered` is called as soon as it has its place in the line. */
export async function beginUpdate(
  settings: Settings,
  request: UpdateRequest,
  entered: () => void,
): Promise<BeginTurnResult> {
  const { store, busy, deadlineMs } = settings;
  const { sessionId, prompt } = request;
  // It is there for whoever gets the turn first.
  if (busy === "merge") await store.commit(sessionId, [append(prompt, { onExisting: "keep" })]);
  if (busy === "interrupt") await interruptOther(settings, request);
  const begun = begin(settings, request, busy === "reject" ? 0 : deadlineMs);
  entered();
  return begun;
}

function begin(settings: Settings, request: UpdateRequest, waitMs: number): Promise<BeginTurnResult> {
  const { store, ttlMs, owner } = settings;
  const { sessionId, turnId, prompt, signal } = request;
  return store.beginTurn(sessionId, { turnId, owner, ttlMs, waitMs, messages: prompt, select: TAIL, signal });
}

/** Stops the turn that runs now. The same update, delivered twice, does not stop itself. */
async function interruptOther({ store }: Settings, { sessionId, turnId }: UpdateRequest): Promise<void> {
  const running = (await store.getSession(sessionId, { messages: "none" }))?.turn;
  if (running === undefined || running.turnId === turnId) return;
  try {
    await store.interruptTurn(sessionId, { turnId: running.turnId });
  } catch (error) {
    if (!SessionError.is(error, "SESSION_NOT_FOUND")) throw error; // it went with its session
  }
}
