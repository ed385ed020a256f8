import { createBotSession as make } from "@sessions/bot-session";
import { SessionError } from "@sessions/protocol";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

/**
 * Leases end at once, and who has lost its turn goes on writing without one. Each update comes a second time while it is
 * being answered: so each turn is lost.
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
