import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { withTurns } from "./with-turns.mjs";

export { open } from "./with-turns.mjs";

/**
 * Writes on without the fence after a turn is lost. Every turn is lost, because leases expire at once and each update is delivered
 * a second time while it is answered.
 */
export function createBotSession({ store, respond, ...options }) {
  const fault = (turn) => {
    const unfenced = (ops, given) => store.commit(turn.sessionId, ops ?? [], given);
    const orUnfenced = (write) => (ops, given) =>
      write(ops, given).catch((error) => {
        if (!SessionError.is(error, "TURN_LOST")) throw error;
        return unfenced(ops, given);
      });
    return {
      signal: new AbortController().signal,
      commit: orUnfenced((ops, given) => turn.commit(ops, given)),
      complete: orUnfenced((ops, given) => turn.complete(ops, given)),
    };
  };
  const broken = withTurns(store, { fault, options: (given) => ({ ...given, ttlMs: 1, renew: false }) });
  const other = make({ ...options, respond, store: broken });
  async function* overtaken(turn) {
    await other.handle(turn.update).catch(() => undefined);
    yield* respond(turn);
  }
  return make({ ...options, respond: overtaken, store: broken });
}
