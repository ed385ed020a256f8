import { sharedClock } from "@sessions/conformance/multi-process";
import {
  type BeginTurnOptions,
  type BeginTurnResult,
  SessionError,
  type SessionStore,
} from "@sessions/protocol";
import { withMethods } from "run-tools";
import type { DeliveryContext } from "./deliverer.js";

type LogContext = Pick<DeliveryContext, "store" | "process" | "write">;

/** A store that logs every turn that begins. The model is asked only later. */
export function logTurnBegins({ store, process, write }: LogContext): SessionStore {
  const log = (options: BeginTurnOptions | undefined): void =>
    write({ type: "begun", at: sharedClock(), process, update: promptedBy(options) });
  async function beginTurn(id: string, options?: BeginTurnOptions): Promise<BeginTurnResult> {
    try {
      const begun = await store.beginTurn(id, options);
      if (begun.status === "begun") log(options);
      return begun;
    } catch (error) {
      // The turn had begun, and was ended before `beginTurn` returned.
      if (SessionError.is(error, "TURN_LOST")) log(options);
      throw error;
    }
  }
  return withMethods(store, { beginTurn });
}

/** The update whose prompt a turn begins with, or -1. */
function promptedBy(options: BeginTurnOptions | undefined): number {
  const [prompt] = [options?.messages ?? []].flat();
  const { update } = Object(prompt?.metadata);
  return typeof update === "number" ? update : -1;
}
