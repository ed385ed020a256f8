import type { SessionStore, Turn } from "@sessions/protocol";
import { withTurns } from "test-tools";

/** Stores that break what an agent relies on. The checks must notice each. */
export const lyingStores: Readonly<Record<string, (store: SessionStore) => SessionStore>> = {
  "acknowledges the end and does not write it": lying(() => ({
    complete: async () => ({ revision: 1, duplicate: false, messages: [] }),
  })),
  "forgets the last words of a turn that fails": lying((turn) => ({
    fail: (error, _ops, options) => turn.fail(error, [], options),
  })),
  "writes checkpoints twice": lying((turn) => ({
    async commit(ops, options) {
      const result = await turn.commit(ops, options);
      await turn.commit(ops.filter((op) => op.op === "extend"));
      return result;
    },
  })),
  "ends turns and does not count": lying((turn) => ({
    complete: (ops = [], options) =>
      turn.complete(
        ops.filter((op) => op.op !== "count"),
        options,
      ),
  })),
};

function lying(writes: (turn: Turn) => Partial<Turn>): (store: SessionStore) => SessionStore {
  return (store) => withTurns(store, writes);
}
