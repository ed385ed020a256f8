import { count, type SessionStore } from "@sessions/protocol";
import { emptyDocument } from "./empty-document.js";
import type { IoMethod } from "./every-method.js";
import { user } from "./messages.js";
import { untyped } from "./untyped.js";

type Call = (store: SessionStore, options: unknown) => PromiseLike<unknown>;

const bundle = { format: "sessions-bundle", version: 1, sessionId: "new", session: emptyDocument() } as const;

/** `verify` and `describe` take no options. */
type WithOptions = Exclude<IoMethod, "verify" | "describe">;

/**
 * Every argument of every method that is an options object, by method and name. All calls are on session "s". A missing
 * method is a type error.
 */
export const optionArguments: Readonly<Record<WithOptions, Readonly<Record<string, Call>>>> = {
  createSession: {
    init: (store, value) => store.createSession("new", untyped(value)),
    options: (store, value) => store.createSession("new", {}, untyped(value)),
  },
  getSession: { options: (store, value) => store.getSession("s", untyped(value)) },
  getMessages: { options: (store, value) => store.getMessages("s", ["m1"], untyped(value)) },
  sessionExists: { options: (store, value) => store.sessionExists("s", untyped(value)) },
  listSessions: { query: (store, value) => store.listSessions(untyped(value)) },
  patchSession: {
    patch: (store, value) => store.patchSession("s", untyped(value)),
    options: (store, value) => store.patchSession("s", { title: "T" }, untyped(value)),
  },
  deleteSession: { options: (store, value) => store.deleteSession("s", untyped(value)) },
  addMessage: {
    options: (store, value) => store.addMessage("s", user("x"), untyped(value)),
    "options for several": (store, value) => store.addMessage("s", [user("x")], untyped(value)),
  },
  getChatHistory: { query: (store, value) => store.getChatHistory("s", untyped(value)) },
  setChatHistory: { options: (store, value) => store.setChatHistory("s", [], untyped(value)) },
  updateMessage: { options: (store, value) => store.updateMessage("s", "m1", user("x"), untyped(value)) },
  removeMessages: { options: (store, value) => store.removeMessages("s", "m1", untyped(value)) },
  popMessage: { options: (store, value) => store.popMessage("s", untyped(value)) },
  clearSession: { options: (store, value) => store.clearSession("s", untyped(value)) },
  updateSessionMetadata: {
    options: (store, value) => store.updateSessionMetadata("s", { a: 1 }, untyped(value)),
  },
  incrementCounters: { options: (store, value) => store.incrementCounters("s", { a: 1 }, untyped(value)) },
  forkSession: {
    fork: (store, value) => store.forkSession("s", untyped(value)),
    options: (store, value) => store.forkSession("s", { newId: "new" }, untyped(value)),
  },
  getChildren: { options: (store, value) => store.getChildren("s", untyped(value)) },
  getParent: { options: (store, value) => store.getParent("s", untyped(value)) },
  getSessionTree: { options: (store, value) => store.getSessionTree("s", untyped(value)) },
  createSnapshot: { options: (store, value) => store.createSnapshot("s", "new", untyped(value)) },
  listSnapshots: { options: (store, value) => store.listSnapshots("s", untyped(value)) },
  revertToSnapshot: { options: (store, value) => store.revertToSnapshot("s", "mark", untyped(value)) },
  revertToMessage: { options: (store, value) => store.revertToMessage("s", "m1", untyped(value)) },
  dropSnapshot: { options: (store, value) => store.dropSnapshot("s", "mark", untyped(value)) },
  exportSession: { options: (store, value) => store.exportSession("s", untyped(value)) },
  importSession: { options: (store, value) => store.importSession(bundle, untyped(value)) },
  archiveMessages: {
    query: (store, value) => store.archiveMessages("s", untyped(value)),
    options: (store, value) => store.archiveMessages("s", {}, untyped(value)),
  },
  settleArchive: {
    result: (store, value) => store.settleArchive("s", "a1", untyped(value)),
    options: (store, value) => store.settleArchive("s", "a1", { summary: "x" }, untyped(value)),
  },
  listArchives: { options: (store, value) => store.listArchives("s", untyped(value)) },
  getArchive: { options: (store, value) => store.getArchive("s", "a1", untyped(value)) },
  getContext: { query: (store, value) => store.getContext("s", untyped(value)) },
  runTurn: { options: (store, value) => store.runTurn("s", untyped(value), () => undefined) },
  beginTurn: { options: (store, value) => store.beginTurn("s", untyped(value)) },
  interruptTurn: { options: (store, value) => store.interruptTurn("s", untyped(value)) },
  commit: { options: (store, value) => store.commit("s", count({ a: 1 }), untyped(value)) },
  updateSession: {
    options: (store, value) => store.updateSession("s", () => count({ a: 1 }), untyped(value)),
  },
  watch: {
    target: (store, value) => store.watch(untyped(value))[Symbol.asyncIterator]().next(),
    "a handle's options": (store, value) =>
      store.session("s").watch(untyped(value))[Symbol.asyncIterator]().next(),
  },
};
