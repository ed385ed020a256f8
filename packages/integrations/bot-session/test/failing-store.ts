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

/** The same thing with some of its methods replaced. */
function overlaid<Thing extends object>(thing: Thing, methods: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      return Reflect.get(methods, name) ?? (typeof own === "function" ? own.bind(target) : own);
    },
  });
}
