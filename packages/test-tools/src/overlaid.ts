import type { SessionStore, Turn } from "@sessions/protocol";

/** The same object with some of its methods replaced. */
export function overlaid<Thing extends object>(thing: Thing, methods: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      return Reflect.get(methods, name) ?? (typeof own === "function" ? own.bind(target) : own);
    },
  });
}

/** A real store with some methods of its turns replaced. */
export function withTurns(store: SessionStore, methods: (turn: Turn) => Partial<Turn>): SessionStore {
  const beginTurn: SessionStore["beginTurn"] = async (...call) => {
    const begun = await store.beginTurn(...call);
    if (begun.status !== "begun") return begun;
    return { ...begun, turn: overlaid(begun.turn, methods(begun.turn)) };
  };
  return overlaid(store, { beginTurn });
}
