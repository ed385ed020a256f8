import { withMethods } from "run-tools";

export { open } from "../../dist/stores/json-file.js";

/** A store with broken turns: `fault` returns the methods to replace in a turn, `options` changes the options of its begin. */
export function withTurns(store, { fault = () => ({}), options = (given) => given }) {
  return withMethods(store, {
    async beginTurn(id, given) {
      const begun = await store.beginTurn(id, options(given));
      if (begun.status !== "begun") return begun;
      return { ...begun, turn: withMethods(begun.turn, fault(begun.turn)) };
    },
  });
}
