import type { SessionStore, Turn } from "@sessions/protocol";
import { withMethods } from "run-tools";

/** A real store with some methods of its turns replaced. */
export function withTurns(store: SessionStore, methods: (turn: Turn) => Partial<Turn>): SessionStore {
  const beginTurn: SessionStore["beginTurn"] = async (...call) => {
    const begun = await store.beginTurn(...call);
    if (begun.status !== "begun") return begun;
    return { ...begun, turn: withMethods(begun.turn, methods(begun.turn)) };
  };
  return withMethods(store, { beginTurn });
}
