import type { SessionStore } from "../api/session-store.js";
import { invalid, readable } from "../arguments/invalid-argument.js";
import { kindOf } from "../arguments/shown-value.js";

/** Requires a store. It checks for one method, because a store may be a class instance, a proxy or a wrapper. */
export function requireStore(value: SessionStore, path = "store"): SessionStore {
  const given: unknown = value;
  const isStore = readable(
    path,
    () =>
      typeof given === "object" && given !== null && typeof Reflect.get(given, "getSession") === "function",
  );
  if (isStore) return value;
  throw invalid(path, `must be a SessionStore, not ${kindOf(given)}.`);
}
