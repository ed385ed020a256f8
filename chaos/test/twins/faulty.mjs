import { openJsonFileBackend } from "@sessions/json-file/maintenance";
import { createStore } from "@sessions/protocol/backend";

/** A json-file store with a fault below the surface: `fault` replaces some methods of its backend. */
export async function withBackend(root, clock, fault) {
  const backend = await openJsonFileBackend({ root, clock });
  return createStore(overlaid(backend, fault(backend)), { clock });
}

/** `target` with some of its methods replaced. */
export function overlaid(target, methods) {
  return new Proxy(target, {
    get(_target, key) {
      const value = Reflect.get(Object.hasOwn(methods, key) ? methods : target, key);
      // Bound, because private fields are not reached through a proxy.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
