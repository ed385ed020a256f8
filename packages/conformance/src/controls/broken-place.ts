import { createStore, type SessionBackend, type SessionStore } from "@sessions/protocol/backend";
import type { FailingBackend, Place } from "../harness.js";

/** The same place with a fault in its backends. */
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

/** The same place with a fault in the backends of `writeFailures`. */
export function withFailingBackend(
  place: Place,
  fault: (backend: SessionBackend) => Partial<SessionBackend>,
): Place {
  const broken = (open: () => Promise<FailingBackend>) => async (): Promise<FailingBackend> => {
    const { backend, fail } = await open();
    return { backend: overlaid(backend, fault(backend)), fail };
  };
  const { refused, unconfirmed } = place.writeFailures ?? {};
  const writeFailures = {
    ...(refused === undefined ? {} : { refused: broken(refused) }),
    ...(unconfirmed === undefined ? {} : { unconfirmed: broken(unconfirmed) }),
  };
  const { open, openBackend } = place;
  return {
    ...derived(place, { open: open.bind(place), openBackend: openBackend.bind(place) }),
    writeFailures,
  };
}

/** The same place with a fault in its stores. */
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
      // Bound, because private fields cannot be accessed through a proxy.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function derived(place: Place, opening: Pick<Place, "open" | "openBackend">): Place {
  const { corrupt, newerFormat, interrupt, removePart, plantForeign, loseEverything } = place;
  return {
    ...opening,
    ...(corrupt === undefined ? {} : { corrupt: corrupt.bind(place) }),
    ...(newerFormat === undefined ? {} : { newerFormat: newerFormat.bind(place) }),
    ...(interrupt === undefined ? {} : { interrupt: interrupt.bind(place) }),
    ...(removePart === undefined ? {} : { removePart }),
    ...(plantForeign === undefined ? {} : { plantForeign }),
    ...(loseEverything === undefined ? {} : { loseEverything: loseEverything.bind(place) }),
    cleanup: () => place.cleanup(),
  };
}
