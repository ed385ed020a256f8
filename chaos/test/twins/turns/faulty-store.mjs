import { overlaid } from "../faulty.mjs";

export { open } from "../../../dist/stores/json-file.js";

/** A store whose turns have a fault: `fault` replaces some methods of each turn, `options` changes how it is begun. */
export function withTurns(store, { fault = () => ({}), options = (given) => given }) {
  return overlaid(store, {
    async beginTurn(id, given) {
      const begun = await store.beginTurn(id, options(given));
      return begun.status === "begun" ? { ...begun, turn: overlaid(begun.turn, fault(begun.turn)) } : begun;
    },
  });
}
