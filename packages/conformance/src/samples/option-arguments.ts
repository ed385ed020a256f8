import { count, type SessionStore } from "@sessions/protocol";
import { emptyDocument } from "./empty-document.js";
import type { ShutMethod } from "./every-method.js";
import { user } from "./messages.js";
import { misused } from "./misused.js";

type Call = (store: SessionStore, options: unknown) => PromiseLike<unknown>;

const bundle = { format: "sessions-bundle", version: 1, sessionId: "new", session: emptyDocument() } as const;

/** `verify` and `describe` take no options. */
type WithOptions = Exclude<ShutMethod, "verify" | "describe">;

/**
 * Every argument of every method that is an object of options, by method and name. All calls are on session "s". The
 * compiler knows when a method is missing.
 */
export const optionArguments: Readonly<Record<WithOptions, Readonly<Record<string, Call>>>> = {
  createSession: {
    init: (store, value) => store.createSession("new", misused(value)),
    options: (store, value) => store.createSession("new", {}, misused(value)),
  },
  getSession: { options: (store, value) => store.getSession("s", misused(value)) },
  getMessages: { options: (store, value) => store.getMessages("s", ["m1"], misused(value)) },
  sessionExists: { options: (store, value) => store.sessionExists("s", misused(value)) },
  listSessions: { query: (store, value) => store.listSessions(misused(value)) },
  patchSession: {
    patch: (store, value) => store.patchSession("s", misused(value)),
    options: (store, value) => store.patchSession("s", { title: "T" }, misused(value)),
  },
  deleteSession: { options: (store, value) => store.deleteSession("s", misused(value)) },
  addMessage: {
    options: (store, value) => store.addMessage("s", user("x"), misused(value)),
    "options for several": (store, value) => store.addMessage("s", [user("x")], misused(value)),
  },
  getChatHistory: { query: (store, value) => store.getChatHistory("s", misused(value)) },
  setChatHistory: { options: (store, value) => store.setChatHistory("s", [], misused(value)) },
  updateMessage: { options: (store, value) => store.updateMessage("s", "m1", user("x"), misused(value)) },
  removeMessages: { options: (store, value) => store.removeMessages("s", "m1", misused(value)) },
  popMessage: { options: (store, value) => store.popMessage("s", misused(value)) },
  clearSession: { options: (store, value) => store.clearSession("s", misused(value)) },
  updateSessionMetadata: {
    options: (store, value) => store.updateSessionMetadata("s", { a: 1 }, misused(value)),
  },
  incrementCounters: { options: (store, value) => store.incrementCounters("s", { a: 1 }, misused(value)) },
  forkSession: {
    fork: (store, value) => store.forkSession("s", misused(value)),
    options: (store, value) => store.forkSession("s", { newId: "new" }, misused(value)),
  },
  getChildren: { options: (store, value) => store.getChildren("s", misused(value)) },
  getParent: { options: (store, value) => store.getParent("s", misused(value)) },
  getSessionTree: { options: (store, value) => store.getSessionTree("s", misused(value)) },
  createSnapshot: { options: (store, value) => store.createSnapshot("s", "new", misused(value)) },
  listSnapshots: { options: (store, value) => store.listSnapshots("s", misused(value)) },
  revertToSnapshot: { options: (store, value) => store.revertToSnapshot("s", "mark", misused(value)) },
  revertToMessage: { options: (store, value) => store.revertToMessage("s", "m1", misused(value)) },
  dropSnapshot: { options: (store, value) => store.dropSnapshot("s", "mark", misused(value)) },
  exportSession: { options: (store, value) => store.exportSession("s", misused(value)) },
  importSession: { options: (store, value) => store.importSession(bundle, misused(value)) },
  archiveMessages: {
    query: (store, value) => store.archiveMessages("s", misused(value)),
    options: (store, value) => store.archiveMessages("s", {}, misused(value)),
  },
  settleArchive: {
    result: (store, value) => store.settleArchive("s", "a1", misused(value)),
    options: (store, value) => store.settleArchive("s", "a1", { summary: "x" }, misused(value)),
  },
  listArchives: { options: (store, value) => store.listArchives("s", misused(value)) },
  getArchive: { options: (store, value) => store.getArchive("s", "a1", misused(value)) },
  getContext: { query: (store, value) => store.getContext("s", misused(value)) },
  runTurn: { options: (store, value) => store.runTurn("s", misused(value), () => undefined) },
  beginTurn: { options: (store, value) => store.beginTurn("s", misused(value)) },
  interruptTurn: { options: (store, value) => store.interruptTurn("s", misused(value)) },
  commit: { options: (store, value) => store.commit("s", count({ a: 1 }), misused(value)) },
  updateSession: {
    options: (store, value) => store.updateSession("s", () => count({ a: 1 }), misused(value)),
  },
  watch: {
    target: (store, value) => store.watch(misused(value))[Symbol.asyncIterator]().next(),
    "a handle's options": (store, value) =>
      store.session("s").watch(misused(value))[Symbol.asyncIterator]().next(),
  },
};
