import type { SessionStore } from "@sessions/protocol";
import { user } from "./messages.js";
import { misused } from "./misused.js";

type Call = (store: SessionStore) => PromiseLike<unknown>;

/** Misspelt options and fields, with what was meant. */
export const misspelt: readonly (readonly [meant: string, call: Call])[] = [
  ["commitId", (store) => store.addMessage("s", user("x"), misused({ comitId: "c" }))],
  ["onExisting", (store) => store.addMessage("s", user("x"), misused({ onExisitng: "keep" }))],
  ["limit", (store) => store.getChatHistory("s", misused({ lmit: 1 }))],
  ["limit", (store) => store.listSessions(misused({ lmit: 1 }))],
  ["ifRevision", (store) => store.patchSession("s", { title: "T" }, misused({ ifRevison: 1 }))],
  ["title", (store) => store.patchSession("s", misused({ titel: "T" }))],
  ["metadata", (store) => store.createSession("new", misused({ metdata: {} }))],
  ["cascade", (store) => store.deleteSession("s", misused({ cascde: true }))],
  ["keepRecent", (store) => store.archiveMessages("s", misused({ keepRecnt: 1 }))],
  ["maxTokens", (store) => store.getContext("s", misused({ maxToken: 1 }))],
  ["newId", (store) => store.forkSession("s", misused({ newID_: "n" }))],
  ["snapshot", (store) => store.forkSession("s", misused({ at: { snapshto: "mark" } }))],
  ["waitMs", (store) => store.beginTurn("s", misused({ waitMS_: 1 }))],
  [
    "session",
    (store) =>
      store
        .watch(misused({ sesion: "s" }))
        [Symbol.asyncIterator]()
        .next(),
  ],
  ["last", (store) => store.getSession("s", misused({ messages: { lst: 1 } }))],
  ["messages", (store) => store.commit("s", misused({ op: "append", mesages: [] }))],
  ["onExisting", (store) => store.commit("s", misused({ op: "append", messages: [], onExising: "keep" }))],
  ["metadata", (store) => store.commit("s", misused({ op: "set", metdata: {} }))],
  ["through", (store) => store.commit("s", misused({ op: "splice", keep: { thruogh: "m1" } }))],
  ["outcome", (store) => store.commit("s", misused({ op: "turn", action: "end", outcom: "completed" }))],
  ["force", (store) => store.updateSession("s", () => misused({ op: "restore", name: "mark", forse: true }))],
];

/** Known options with values that no type allows. */
export const wrongTypes: Readonly<Record<string, Call>> = {
  "commitId: 5": (store) => store.addMessage("s", user("x"), misused({ commitId: 5 })),
  'ifRevision: "1"': (store) => store.clearSession("s", misused({ ifRevision: "1" })),
  "ifRevision: an object without a prototype": (store) =>
    store.clearSession("s", misused({ ifRevision: Object.create(null) })),
  'ifAbsent: "yes"': (store) => store.addMessage("s", user("x"), misused({ ifAbsent: "yes" })),
  "fence: 1": (store) => store.popMessage("s", misused({ fence: 1 })),
  "signal: {}": (store) => store.popMessage("s", misused({ signal: {} })),
  "signal: half a signal": (store) => store.getSession("s", misused({ signal: { aborted: false } })),
  "fingerprint: a function": (store) =>
    store.popMessage("s", misused({ commitId: "c", fingerprint: () => 1 })),
  'firstSentAt: "yesterday"': (store) => store.popMessage("s", misused({ firstSentAt: "yesterday" })),
  'cascade: "no"': (store) => store.deleteSession("s", misused({ cascade: "no" })),
  "exchange: 1": (store) => store.popMessage("s", misused({ exchange: 1 })),
  'force: "x"': (store) => store.clearSession("s", misused({ force: "x" })),
  "base: -1": (store) => store.setChatHistory("s", [], misused({ base: -1 })),
  "newId: 5": (store) => store.forkSession("s", misused({ newId: 5 })),
  "messages: last and after": (store) =>
    store.getSession("s", misused({ messages: { last: 1, after: "m1" } })),
  "order: an object": (store) => store.listSessions(misused({ order: { toString: null } })),
  "cursor: 5": (store) => store.listSessions(misused({ cursor: 5 })),
  "labels: 5": (store) => store.listSessions(misused({ labels: 5 })),
  "updatedSince: no date": (store) => store.listSessions({ updatedSince: new Date(Number.NaN) }),
  "updatedSince: a proxy of a Date": (store) =>
    store.listSessions({ updatedSince: new Proxy(new Date(), {}) }),
  'roles: "user"': (store) => store.getChatHistory("s", misused({ roles: "user" })),
  "maxTokens: a symbol": (store) => store.getContext("s", misused({ maxTokens: Symbol("many") })),
  "ttlMs: 0": (store) => store.beginTurn("s", misused({ ttlMs: 0 })),
  "waitMs: NaN": (store) => store.beginTurn("s", misused({ waitMs: Number.NaN })),
  "since: a number for a store": (store) =>
    store
      .watch(misused({ since: 1 }))
      [Symbol.asyncIterator]()
      .next(),
};
