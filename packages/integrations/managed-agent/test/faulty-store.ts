import type { SessionStore } from "@sessions/protocol";
import { withMethods, withTurns } from "test-tools";

/** A write of a turn. */
export type Moment = "begin" | "checkpoint" | "complete" | "fail";

/** What goes wrong, and when. `after`: the write is made, and its reply is lost. */
export interface Fault {
  readonly at: readonly Moment[];
  readonly when?: "before" | "after";
  /** How many such writes go well before. @default 0 */
  readonly skip?: number;
  /** How often. @default always */
  readonly times?: number;
  readonly strike: (store: SessionStore) => Promise<void>;
}

type Struck = <Result>(moment: Moment, write: () => Promise<Result>) => Promise<Result>;

/** A real store some of whose writes fail. Every other call is a real one. */
export function faultyStore(store: SessionStore, fault: Fault): SessionStore {
  let [skip, left] = [fault.skip ?? 0, fault.times ?? Number.POSITIVE_INFINITY];
  const struck: Struck = async (moment, write) => {
    const strikes = fault.at.includes(moment) && skip-- <= 0 && left-- > 0;
    if (strikes && fault.when !== "after") await fault.strike(store);
    const result = await write();
    if (strikes && fault.when === "after") await fault.strike(store);
    return result;
  };
  const beginTurn: SessionStore["beginTurn"] = (...call) => struck("begin", () => store.beginTurn(...call));
  return withTurns(withMethods(store, { beginTurn }), (turn) => ({
    commit: (ops, options) => struck("checkpoint", () => turn.commit(ops, options)),
    complete: (ops, options) => struck("complete", () => turn.complete(ops, options)),
    fail: (error, ops, options) => struck("fail", () => turn.fail(error, ops, options)),
  }));
}
