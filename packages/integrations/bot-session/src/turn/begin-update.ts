import { append, type BeginTurnResult, SessionError } from "@sessions/protocol";
import { leaseRetryPolicy, retry } from "@sessions/turn-runner";
import type { Settings } from "../settings.js";
import type { UpdateRequest } from "./update-request.js";

/** The newest messages that the beginning of a turn reads. */
export const TAIL: { readonly last: number } = { last: 64 };

/** Begins the turn of an update, as the busy policy says. Calls `entered` as soon as the update has its place in the queue. */
export async function beginUpdate(
  settings: Settings,
  request: UpdateRequest,
  entered: () => void,
): Promise<BeginTurnResult> {
  const { busy } = settings;
  // Policies that store or stop something before the turn begins try without that first: a redelivery must do neither.
  const first = busy === "queue" ? undefined : await attempt(settings, request, 0);
  if (first !== undefined && (busy === "reject" || !SessionError.is(first))) {
    entered();
    return begunOrThrow(first);
  }
  if (busy === "merge") await storePrompt(settings, request, first);
  if (busy === "interrupt") await interruptOther(settings, request);
  const waiting = attempt(settings, request, request.deadline.leftMs);
  entered();
  return begunOrThrow(await waiting);
}

function begunOrThrow(attempted: BeginTurnResult | SessionError): BeginTurnResult {
  if (SessionError.is(attempted)) throw attempted;
  return attempted;
}

/** Begins the turn, or returns the TURN_BUSY error. */
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
  return retry(leaseRetryPolicy(settings, deadline.signal), begin);
}

/**
 * Stores the prompt before its turn, where the next turn finds it. Its commit id is remembered for as long as its turn id, so that a
 * prompt that was destroyed since is not stored again. While its own turn runs, the prompt is stored already.
 */
async function storePrompt(
  settings: Settings,
  { sessionId, turnId, prompt }: UpdateRequest,
  busy: SessionError | undefined,
): Promise<void> {
  if (SessionError.is(busy, "TURN_BUSY") && busy.turnId === turnId) return;
  const options = { commitId: `ask ${turnId}`, fingerprint: turnId };
  await retry(leaseRetryPolicy(settings), () =>
    settings.store.commit(sessionId, [append(prompt, { onExisting: "keep" })], options),
  );
}

/** Stops the running turn, unless it is that of the same update. */
async function interruptOther(settings: Settings, { sessionId, turnId }: UpdateRequest): Promise<void> {
  const { store } = settings;
  const session = await retry(leaseRetryPolicy(settings), () =>
    store.getSession(sessionId, { messages: "none" }),
  );
  const running = session?.turn;
  if (running === undefined || running.turnId === turnId) return;
  const stopped = { turnId: running.turnId };
  try {
    await retry(leaseRetryPolicy(settings), (options) =>
      store.interruptTurn(sessionId, { ...stopped, ...options }),
    );
  } catch (error) {
    if (!SessionError.is(error, "SESSION_NOT_FOUND")) throw error; // its session was deleted
  }
}
