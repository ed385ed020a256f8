import type { SessionStore } from "@sessions/protocol";
import { withMethods } from "test-tools";

/** The same store, and the number of its watches that are open. */
export function countingWatches(store: SessionStore): {
  readonly store: SessionStore;
  readonly watches: { open: number };
} {
  const watches = { open: 0 };
  const watch: SessionStore["watch"] = async function* (target) {
    watches.open++;
    try {
      yield* store.watch(target);
    } finally {
      watches.open--;
    }
  };
  return { store: withMethods(store, { watch }), watches };
}
