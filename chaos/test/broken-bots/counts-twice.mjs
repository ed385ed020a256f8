import { createBotSession as make } from "@sessions/bot-session";
import { createManagedAgent as makeAgent } from "@sessions/managed-agent";
import { withTurns } from "./with-turns.mjs";

export { open } from "./with-turns.mjs";

/** Counts the usage of a turn twice. */
function counting(store) {
  const twice = (ops) => [...ops, ...ops.filter(({ op }) => op === "count")];
  return withTurns(store, {
    fault: (turn) => ({ complete: (ops, given) => turn.complete(twice(ops), given) }),
  });
}

export const createBotSession = ({ store, ...options }) => make({ ...options, store: counting(store) });
export const createManagedAgent = ({ store, ...options }) =>
  makeAgent({ ...options, store: counting(store) });
