import { endTurn, type SessionStore } from "@sessions/protocol";
import type { Operation } from "./operation.js";
import { message } from "./samples.js";

const TURN_ID = "turn-1";

/** Begins a turn that nobody renews. Returns its token. */
async function begun(store: SessionStore): Promise<string> {
  const result = await store.beginTurn("s", { turnId: TURN_ID, ttlMs: 600_000, renew: false });
  if (result.status !== "begun") throw new Error("the sample session has had this turn");
  return result.turn.token;
}

/** Operations of the holder of a turn. A token is valid in every process, so any store may continue a turn. */
export const turns: readonly Operation[] = [
  { name: "beginTurn", calls: [({ store }) => begun(store)] },
  {
    name: "append within a turn",
    prepare: begun,
    calls: [
      ({ store, commitId, prepared }) => store.addMessage("s", message("m8"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "renew a turn",
    prepare: begun,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", { op: "turn", action: "renew" }, { commitId, fence: prepared }),
    ],
  },
  {
    name: "complete a turn",
    prepare: begun,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", endTurn("completed"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "fail a turn",
    prepare: begun,
    calls: [
      ({ store, commitId, prepared }) =>
        store.commit("s", endTurn("failed", "broken"), { commitId, fence: prepared }),
    ],
  },
  {
    name: "interruptTurn",
    prepare: begun,
    calls: [({ store, commitId }) => store.interruptTurn("s", { turnId: TURN_ID, commitId })],
  },
];
