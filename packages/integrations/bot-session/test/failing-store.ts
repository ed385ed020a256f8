import { SessionError, type SessionStore, type Turn } from "@sessions/protocol";

/** A real store whose turns cannot be completed: what is written before that is real. */
export function withoutCompletion(store: SessionStore): SessionStore {
  const failure = SessionError.of("SESSION_CORRUPTED", "The disk is broken.", {});
  return overlaid(store, {
    async beginTurn(...call) {
      const begun = await store.beginTurn(...call);
      if (begun.status !== "begun") return begun;
      const complete: Turn["complete"] = () => Promise.reject(failure);
      return { ...begun, turn: overlaid(begun.turn, { complete }) };
    },
  });
}

/** A real store of which nothing can be had while it is out. */
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

/** The same thing with some of its methods replaced. */
function overlaid<Thing extends object>(thing: Thing, methods: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      return Reflect.get(methods, name) ?? (typeof own === "function" ? own.bind(target) : own);
    },
  });
}
