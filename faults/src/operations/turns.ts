import { endTurn, type SessionStore } from "@sessions/protocol";
import type { Operation } from "./operation.js";
import { message } from "./samples.js";

const TURN_ID = "turn-1";

/** Begins a turn whose lease is not renewed. Returns its token. */
async function beginTurn(store: SessionStore): Promise<string> {
  const result = await store.beginTurn("s", { turnId: TURN_ID, ttlMs: 600_000, renew: false });
  if (result.status !== "begun") throw new Error("the sample session has completed this turn");
  return result.turn.token;
}

/** Operations on a turn. A token is valid in every process, so any store may continue a turn. */
export const turns: readonly Operation[] = [
  { name: "beginTurn", calls: [({ store }) => beginTurn(store)] },
  {
    name: "append within a turn",
    prepare: beginTurn,
    calls: [
      ({ store, commitId, prepared }) => store.addMessage("s", message("m8"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "renew a turn",
    prepare: beginTurn,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", { op: "turn", action: "renew" }, { commitId, fence: prepared }),
    ],
  },
  {
    name: "complete a turn",
    prepare: beginTurn,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", endTurn("completed"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "fail a turn",
    prepare: beginTurn,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", endTurn("failed", "broken"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "interruptTurn",
    prepare: beginTurn,
    calls: [({ store, commitId }) => store.interruptTurn("s", { turnId: TURN_ID, commitId })],
  },
];
