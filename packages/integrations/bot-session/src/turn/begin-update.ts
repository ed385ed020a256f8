import { append, type BeginTurnResult, SessionError } from "@sessions/protocol";
import { patiently } from "../retry-call.js";
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
  const { busy } = settings;
  // What stores or stops something before its turn begins tries without that first: a repeat must do neither.
  const first = busy === "queue" ? undefined : await attempt(settings, request, 0);
  if (first !== undefined && (busy === "reject" || !SessionError.is(first))) {
    entered();
    return begunOr(first);
  }
  if (busy === "merge") await storeAtOnce(settings, request, first);
  if (busy === "interrupt") await interruptOther(settings, request);
  const waiting = attempt(settings, request, request.deadline.leftMs);
  entered();
  return begunOr(await waiting);
}

function begunOr(attempted: BeginTurnResult | SessionError): BeginTurnResult {
  if (SessionError.is(attempted)) throw attempted;
  return attempted;
}

/** Begins the turn, or tells who is in the way. */
function attempt(
  settings: Settings,
  request: UpdateRequest,
  waitMs: number,
): Promise<BeginTurnResult | SessionError> {
  const { store, ttlMs, owner } = settings;
  const { sessionId, turnId, prompt, signal, deadline } = request;
  const options = { turnId, owner, ttlMs, waitMs, messages: prompt, select: TAIL, signal };
  const begin = async (): Promise<BeginTurnResult | SessionError> => {
    try {
      return await store.beginTurn(sessionId, options);
    } catch (error) {
      if (SessionError.is(error, "TURN_BUSY")) return error;
      throw error;
    }
  };
  return patiently(settings, begin, deadline.signal);
}

/**
 * Puts an update where whoever gets the turn first finds it. Once, under a commit id that is kept for as long as its turn
 * id: what was destroyed since does not come back. While its own turn runs it is there already.
 */
async function storeAtOnce(
  settings: Settings,
  { sessionId, turnId, prompt }: UpdateRequest,
  busy: SessionError | undefined,
): Promise<void> {
  if (SessionError.is(busy, "TURN_BUSY") && busy.turnId === turnId) return;
  const options = { commitId: `ask ${turnId}`, fingerprint: turnId };
  await patiently(settings, () =>
    settings.store.commit(sessionId, [append(prompt, { onExisting: "keep" })], options),
  );
}

/** Stops the turn that runs now. The same update, delivered twice, does not stop itself. */
async function interruptOther(settings: Settings, { sessionId, turnId }: UpdateRequest): Promise<void> {
  const { store } = settings;
  const read = () => store.getSession(sessionId, { messages: "none" });
  const running = (await patiently(settings, read))?.turn;
  if (running === undefined || running.turnId === turnId) return;
  const stopped = { turnId: running.turnId };
  try {
    await patiently(settings, (options) => store.interruptTurn(sessionId, { ...stopped, ...options }));
  } catch (error) {
    if (!SessionError.is(error, "SESSION_NOT_FOUND")) throw error; // it went with its session
  }
}
