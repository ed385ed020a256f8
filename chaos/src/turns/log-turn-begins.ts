import { sharedClock } from "@sessions/conformance/multi-process";
import {
  type BeginTurnOptions,
  type BeginTurnResult,
  SessionError,
  type SessionStore,
} from "@sessions/protocol";
import type { DeliveryPlace } from "./deliverer.js";

type Place = Pick<DeliveryPlace, "store" | "process" | "write">;

/** The store, with a line in the log for every turn that has begun on it: the model is asked only later. */
export function logTurnBegins({ store, process, write }: Place): SessionStore {
  const note = (options: BeginTurnOptions | undefined): void =>
    write({ type: "begun", at: sharedClock(), process, update: promptedBy(options) });
  async function beginTurn(id: string, options?: BeginTurnOptions): Promise<BeginTurnResult> {
    try {
      const begun = await store.beginTurn(id, options);
      if (begun.status === "begun") note(options);
      return begun;
    } catch (error) {
      // It had begun, and was ended before anybody was told.
      if (SessionError.is(error, "TURN_LOST")) note(options);
      throw error;
    }
  }
  return new Proxy(store, {
    get(target, key) {
      if (key === "beginTurn") return beginTurn;
      const value: unknown = Reflect.get(target, key);
      // Bound, because private fields are not reached through a proxy.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The update whose prompt a turn begins with; -1 if it has none. */
function promptedBy(options: BeginTurnOptions | undefined): number {
  const [prompt] = [options?.messages ?? []].flat();
  const { update } = Object(prompt?.metadata);
  return typeof update === "number" ? update : -1;
}
