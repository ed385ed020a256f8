import { SessionError, type SessionStore } from "@sessions/protocol";
import { withTurns } from "test-tools";

/** A real store whose turns cannot be completed. What they write before that is stored. */
export function withoutCompletion(store: SessionStore): SessionStore {
  const failure = SessionError.of("SESSION_CORRUPTED", "The disk is broken.", {});
  return withTurns(store, () => ({ complete: () => Promise.reject(failure) }));
}

/** A real store whose calls all fail while `isOut` returns true. */
export function withOutages(store: SessionStore, isOut: () => boolean): SessionStore {
  const failure = SessionError.of("STORE_BUSY", "Others keep the store busy.", { waitedMs: 0 });
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      if (typeof own !== "function") return own;
      return (...call: readonly unknown[]) =>
        isOut() ? Promise.reject(failure) : Reflect.apply(own, target, call);
    },
  });
}
