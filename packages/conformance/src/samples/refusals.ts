import {
  append,
  count,
  type ErrorCode,
  remove,
  restore,
  type SessionStore,
  settleArchive,
} from "@sessions/protocol";
import { user } from "./messages.js";
import { startTurn } from "./start-turn.js";
import { untyped } from "./untyped.js";

/** A call that fails with a certain code on any store, on session "s" with messages "m1" and "m2". */
export interface Refusal {
  readonly prepare?: (store: SessionStore) => PromiseLike<unknown>;
  readonly call: (store: SessionStore) => PromiseLike<unknown>;
}

const counted = count({ n: 1 });
const labels = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`l${n}`, "x"]));

/**
 * The codes with which every store can refuse a call without a fault of its engine. The operations before the refused one
 * would change something.
 */
export const refusals: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  INVALID_ARGUMENT: { call: (store) => store.commit("s", [counted, untyped({ op: "no such operation" })]) },
  TOO_LARGE: { call: (store) => store.patchSession("s", { title: "T", labels }) },
  SESSION_NOT_FOUND: { call: (store) => store.popMessage("nobody") },
  SESSION_EXISTS: { call: (store) => store.createSession("s", { title: "T" }) },
  MESSAGE_NOT_FOUND: { call: (store) => store.commit("s", [counted, remove("nothing")]) },
  SNAPSHOT_NOT_FOUND: { call: (store) => store.commit("s", [counted, restore("nothing")]) },
  ARCHIVE_NOT_FOUND: {
    call: (store) => store.commit("s", [counted, settleArchive("nothing", { summary: "x" })]),
  },
  MESSAGE_ID_TAKEN: { call: (store) => store.commit("s", [counted, append(user("other", { id: "m1" }))]) },
  COMMIT_ID_REUSED: {
    prepare: (store) => store.incrementCounters("s", { n: 1 }, { commitId: "c" }),
    call: (store) => store.incrementCounters("s", { n: 2 }, { commitId: "c" }),
  },
  REVISION_CONFLICT: { call: (store) => store.addMessage("s", user("x"), { ifRevision: 999 }) },
  TURN_BUSY: { prepare: (store) => startTurn(store, "s"), call: (store) => store.clearSession("s") },
  TURN_LOST: { call: (store) => store.addMessage("s", user("x"), { fence: "1-nobody" }) },
};
