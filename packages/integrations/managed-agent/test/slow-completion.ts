import type { SessionStore } from "@sessions/protocol";
import { withTurns } from "test-tools";

/** A real store that completes turns only ten turns of the event loop later. */
export function slowCompletion(store: SessionStore): SessionStore {
  return withTurns(store, (turn) => ({
    async complete(ops, options) {
      for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
      return turn.complete(ops, options);
    },
  }));
}
