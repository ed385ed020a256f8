import { applyCommit, type LiveState, type Message, type Operation } from "@sessions/protocol/backend";
import { type LivePlan, loadSession, planLive, type StagedMessages } from "../src/index.js";
import { MapSession } from "./map-store/map-session.js";

/** One session, and the plan of its last commit. */
export class PlannedSession {
  readonly rows = new MapSession();
  #commits = 0;

  /** Applies operations and writes their plan. */
  commit(ops: readonly Operation[], staged?: StagedMessages): LivePlan {
    const { stored } = this.rows;
    const before = stored && loadSession(stored, this.rows, "s");
    const id = `c${++this.#commits}`;
    const { outcome, state } = applyCommit(before?.state, { sessionId: "s", id, at: this.#commits, ops });
    if (outcome.status === "rejected") throw outcome.error;
    if (state?.status !== "live") throw new Error("the session is gone");
    const rowOf = (message: Message) => this.rows.cache.rowOf(message);
    const change = { before, ops, rows: this.rows, rowOf, firstRow: 0, staged, now: this.#commits };
    const plan = planLive(change, state);
    this.rows.writeLive(plan);
    return plan;
  }

  get state(): LiveState {
    const { stored } = this.rows;
    const state = stored && loadSession(stored, this.rows, "s").state;
    if (state?.status !== "live") throw new Error("there is no session");
    return state;
  }

  get messages(): readonly Message[] {
    return this.state.history.messages.slice();
  }
}
