import { sharedClock } from "@sessions/conformance/multi-process";
import type { BeginTurnOptions, BeginTurnResult, Message, SessionStore } from "@sessions/protocol";
import type { DeliveryPlace } from "./deliverer.js";

/** The store, with a line in the log for every turn that has begun on it: the model is asked only later. */
export function notingBegins({
  store,
  process,
  write,
}: Pick<DeliveryPlace, "store" | "process" | "write">): SessionStore {
  async function beginTurn(id: string, options?: BeginTurnOptions): Promise<BeginTurnResult> {
    const begun = await store.beginTurn(id, options);
    const update = begun.session.messages.findLast(({ id: name }) => name.split("~")[0] === options?.turnId);
    if (begun.status === "begun")
      write({ type: "begun", at: sharedClock(), process, update: numberOf(update) });
    return begun;
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

function numberOf(prompt: Message | undefined): number {
  return Number(prompt?.metadata?.["update"] ?? -1);
}
