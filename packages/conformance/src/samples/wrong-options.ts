import type { SessionStore } from "@sessions/protocol";
import { user } from "./messages.js";
import { untyped } from "./untyped.js";

type Call = (store: SessionStore) => PromiseLike<unknown>;

/** Calls with a misspelt option or field, and the right name. */
export const misspelt: readonly (readonly [meant: string, call: Call])[] = [
  ["commitId", (store) => store.addMessage("s", user("x"), untyped({ comitId: "c" }))],
  ["onExisting", (store) => store.addMessage("s", user("x"), untyped({ onExisitng: "keep" }))],
  ["limit", (store) => store.getChatHistory("s", untyped({ lmit: 1 }))],
  ["limit", (store) => store.listSessions(untyped({ lmit: 1 }))],
  ["ifRevision", (store) => store.patchSession("s", { title: "T" }, untyped({ ifRevison: 1 }))],
  ["title", (store) => store.patchSession("s", untyped({ titel: "T" }))],
  ["metadata", (store) => store.createSession("new", untyped({ metdata: {} }))],
  ["cascade", (store) => store.deleteSession("s", untyped({ cascde: true }))],
  ["keepRecent", (store) => store.archiveMessages("s", untyped({ keepRecnt: 1 }))],
  ["maxTokens", (store) => store.getContext("s", untyped({ maxToken: 1 }))],
  ["newId", (store) => store.forkSession("s", untyped({ newID_: "n" }))],
  ["snapshot", (store) => store.forkSession("s", untyped({ at: { snapshto: "mark" } }))],
  ["waitMs", (store) => store.beginTurn("s", untyped({ waitMS_: 1 }))],
  [
    "session",
    (store) =>
      store
        .watch(untyped({ sesion: "s" }))
        [Symbol.asyncIterator]()
        .next(),
  ],
  ["last", (store) => store.getSession("s", untyped({ messages: { lst: 1 } }))],
  ["messages", (store) => store.commit("s", untyped({ op: "append", mesages: [] }))],
  ["onExisting", (store) => store.commit("s", untyped({ op: "append", messages: [], onExising: "keep" }))],
  ["metadata", (store) => store.commit("s", untyped({ op: "set", metdata: {} }))],
  ["through", (store) => store.commit("s", untyped({ op: "splice", keep: { thruogh: "m1" } }))],
  ["outcome", (store) => store.commit("s", untyped({ op: "turn", action: "end", outcom: "completed" }))],
  ["force", (store) => store.updateSession("s", () => untyped({ op: "restore", name: "mark", forse: true }))],
];

/** Calls with a value of a wrong type for an option. */
export const wrongTypes: Readonly<Record<string, Call>> = {
  "commitId: 5": (store) => store.addMessage("s", user("x"), untyped({ commitId: 5 })),
  'ifRevision: "1"': (store) => store.clearSession("s", untyped({ ifRevision: "1" })),
  "ifRevision: an object without a prototype": (store) =>
    store.clearSession("s", untyped({ ifRevision: Object.create(null) })),
  'ifAbsent: "yes"': (store) => store.addMessage("s", user("x"), untyped({ ifAbsent: "yes" })),
  "fence: 1": (store) => store.popMessage("s", untyped({ fence: 1 })),
  "signal: {}": (store) => store.popMessage("s", untyped({ signal: {} })),
  "signal: half a signal": (store) => store.getSession("s", untyped({ signal: { aborted: false } })),
  "fingerprint: a function": (store) =>
    store.popMessage("s", untyped({ commitId: "c", fingerprint: () => 1 })),
  'firstSentAt: "yesterday"': (store) => store.popMessage("s", untyped({ firstSentAt: "yesterday" })),
  'cascade: "no"': (store) => store.deleteSession("s", untyped({ cascade: "no" })),
  "exchange: 1": (store) => store.popMessage("s", untyped({ exchange: 1 })),
  'force: "x"': (store) => store.clearSession("s", untyped({ force: "x" })),
  "base: -1": (store) => store.setChatHistory("s", [], untyped({ base: -1 })),
  "newId: 5": (store) => store.forkSession("s", untyped({ newId: 5 })),
  "messages: last and after": (store) =>
    store.getSession("s", untyped({ messages: { last: 1, after: "m1" } })),
  "order: an object": (store) => store.listSessions(untyped({ order: { toString: null } })),
  "cursor: 5": (store) => store.listSessions(untyped({ cursor: 5 })),
  "labels: 5": (store) => store.listSessions(untyped({ labels: 5 })),
  "updatedSince: no date": (store) => store.listSessions({ updatedSince: new Date(Number.NaN) }),
  "updatedSince: a proxy of a Date": (store) =>
    store.listSessions({ updatedSince: new Proxy(new Date(), {}) }),
  'roles: "user"': (store) => store.getChatHistory("s", untyped({ roles: "user" })),
  "maxTokens: a symbol": (store) => store.getContext("s", untyped({ maxTokens: Symbol("many") })),
  "ttlMs: 0": (store) => store.beginTurn("s", untyped({ ttlMs: 0 })),
  "waitMs: NaN": (store) => store.beginTurn("s", untyped({ waitMs: Number.NaN })),
  "since: a number for a store": (store) =>
    store
      .watch(untyped({ since: 1 }))
      [Symbol.asyncIterator]()
      .next(),
};
