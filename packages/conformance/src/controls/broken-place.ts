import { createStore, type SessionBackend, type SessionStore } from "@sessions/protocol";
import type { Place } from "../harness.js";

/** The same place with a fault below the surface: in what its backends do. */
export function withBackend(
  place: Place,
  fault: (backend: SessionBackend) => Partial<SessionBackend>,
): Place {
  const openBackend = async (): Promise<SessionBackend> => {
    const backend = await place.openBackend();
    return overlaid(backend, fault(backend));
  };
  return derived(place, { openBackend, open: async () => createStore(await openBackend()) });
}

/** The same place with a fault on the surface: in what its stores do. */
export function withStore(place: Place, fault: (store: SessionStore) => Partial<SessionStore>): Place {
  return derived(place, {
    openBackend: () => place.openBackend(),
    open: async () => {
      const store = await place.open();
      return overlaid(store, fault(store));
    },
  });
}

/** `target` with some of its methods replaced. */
function overlaid<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(Object.hasOwn(methods, key) ? methods : target, key);
      // Bound, because private fields are not reached through a proxy.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function derived(place: Place, opening: Pick<Place, "open" | "openBackend">): Place {
  const { corrupt, newerFormat, interrupt } = place;
  return {
    ...opening,
    ...(corrupt === undefined ? {} : { corrupt: corrupt.bind(place) }),
    ...(newerFormat === undefined ? {} : { newerFormat: newerFormat.bind(place) }),
    ...(interrupt === undefined ? {} : { interrupt: interrupt.bind(place) }),
    cleanup: () => place.cleanup(),
  };
}
