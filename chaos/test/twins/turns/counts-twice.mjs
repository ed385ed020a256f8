import { createBotSession as make } from "@sessions/bot-session";
import { createManagedAgent as makeAgent } from "@sessions/managed-agent";
import { withTurns } from "./faulty-store.mjs";

export { open } from "./faulty-store.mjs";

/** Counts what a turn has used twice. */
function counting(store) {
  const twice = (ops) => [...ops, ...ops.filter(({ op }) => op === "count")];
  return withTurns(store, {
    fault: (turn) => ({ complete: (ops, given) => turn.complete(twice(ops), given) }),
  });
}

export const createBotSession = ({ store, ...options }) => make({ ...options, store: counting(store) });
export const createManagedAgent = ({ store, ...options }) =>
  makeAgent({ ...options, store: counting(store) });
