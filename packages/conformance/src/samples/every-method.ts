import { count, type SessionBundle, type SessionStore } from "@sessions/protocol";
import { emptyDocument } from "./empty-document.js";
import { numbered, user } from "./messages.js";

/** The methods that do I/O, and so fail after `close()`; without `search`, which a store may lack. */
export type IoMethod = Exclude<
  keyof SessionStore,
  "capabilities" | "search" | "session" | "close" | typeof Symbol.asyncDispose
>;

const bundle: SessionBundle = {
  format: "sessions-bundle",
  version: 1,
  sessionId: "imported",
  session: emptyDocument(),
};

/** A call of every method, on session "s". A missing method is a type error. */
export const everyMethod: Readonly<Record<IoMethod, (store: SessionStore) => PromiseLike<unknown>>> = {
  createSession: (store) => store.createSession("s"),
  getSession: (store) => store.getSession("s"),
  getMessages: (store) => store.getMessages("s", ["m1"]),
  sessionExists: (store) => store.sessionExists("s"),
  listSessions: (store) => store.listSessions(),
  patchSession: (store) => store.patchSession("s", { title: "T" }),
  deleteSession: (store) => store.deleteSession("s"),
  addMessage: (store) => store.addMessage("s", user("x")),
  getChatHistory: (store) => store.getChatHistory("s"),
  setChatHistory: (store) => store.setChatHistory("s", numbered(1)),
  updateMessage: (store) => store.updateMessage("s", "m1", user("x")),
  removeMessages: (store) => store.removeMessages("s", "m1"),
  popMessage: (store) => store.popMessage("s"),
  clearSession: (store) => store.clearSession("s"),
  updateSessionMetadata: (store) => store.updateSessionMetadata("s", { a: 1 }),
  incrementCounters: (store) => store.incrementCounters("s", { a: 1 }),
  forkSession: (store) => store.forkSession("s"),
  getChildren: (store) => store.getChildren("s"),
  getParent: (store) => store.getParent("s"),
  getSessionTree: (store) => store.getSessionTree("s"),
  createSnapshot: (store) => store.createSnapshot("s"),
  listSnapshots: (store) => store.listSnapshots("s"),
  revertToSnapshot: (store) => store.revertToSnapshot("s", "mark"),
  revertToMessage: (store) => store.revertToMessage("s", "m1"),
  dropSnapshot: (store) => store.dropSnapshot("s", "mark"),
  exportSession: (store) => store.exportSession("s"),
  importSession: (store) => store.importSession(bundle),
  archiveMessages: (store) => store.archiveMessages("s"),
  settleArchive: (store) => store.settleArchive("s", "a1", { summary: "x" }),
  listArchives: (store) => store.listArchives("s"),
  getArchive: (store) => store.getArchive("s", "a1"),
  getContext: (store) => store.getContext("s", { maxTokens: 9 }),
  runTurn: (store) => store.runTurn("s", {}, () => undefined),
  beginTurn: (store) => store.beginTurn("s"),
  interruptTurn: (store) => store.interruptTurn("s"),
  commit: (store) => store.commit("s", count({ a: 1 })),
  updateSession: (store) => store.updateSession("s", () => count({ a: 1 })),
  watch: (store) => store.watch({ session: "s", since: 0 })[Symbol.asyncIterator]().next(),
  describe: (store) => store.describe(),
  verify: (store) => store.verify("s"),
};
