import { count, type SessionHandle } from "@sessions/protocol";
import type { IoMethod } from "./every-method.js";
import { numbered, user } from "./messages.js";

/** The methods of a store that handles do not have. */
type WholeStore = "listSessions" | "importSession" | "describe";

/** The same calls as in `everyMethod`, through a handle. A missing method is a type error. */
export const everyHandleMethod: Readonly<
  Record<Exclude<IoMethod, WholeStore>, (session: SessionHandle) => PromiseLike<unknown>>
> = {
  createSession: (session) => session.createSession(),
  getSession: (session) => session.getSession(),
  getMessages: (session) => session.getMessages(["m1"]),
  sessionExists: (session) => session.sessionExists(),
  patchSession: (session) => session.patchSession({ title: "T" }),
  deleteSession: (session) => session.deleteSession(),
  addMessage: (session) => session.addMessage(user("x")),
  getChatHistory: (session) => session.getChatHistory(),
  setChatHistory: (session) => session.setChatHistory(numbered(1)),
  updateMessage: (session) => session.updateMessage("m1", user("x")),
  removeMessages: (session) => session.removeMessages("m1"),
  popMessage: (session) => session.popMessage(),
  clearSession: (session) => session.clearSession(),
  updateSessionMetadata: (session) => session.updateSessionMetadata({ a: 1 }),
  incrementCounters: (session) => session.incrementCounters({ a: 1 }),
  forkSession: (session) => session.forkSession(),
  getChildren: (session) => session.getChildren(),
  getParent: (session) => session.getParent(),
  getSessionTree: (session) => session.getSessionTree(),
  createSnapshot: (session) => session.createSnapshot(),
  listSnapshots: (session) => session.listSnapshots(),
  revertToSnapshot: (session) => session.revertToSnapshot("mark"),
  revertToMessage: (session) => session.revertToMessage("m1"),
  dropSnapshot: (session) => session.dropSnapshot("mark"),
  exportSession: (session) => session.exportSession(),
  archiveMessages: (session) => session.archiveMessages(),
  settleArchive: (session) => session.settleArchive("a1", { summary: "x" }),
  listArchives: (session) => session.listArchives(),
  getArchive: (session) => session.getArchive("a1"),
  getContext: (session) => session.getContext({ maxTokens: 9 }),
  runTurn: (session) => session.runTurn({}, () => undefined),
  beginTurn: (session) => session.beginTurn(),
  interruptTurn: (session) => session.interruptTurn(),
  commit: (session) => session.commit(count({ a: 1 })),
  updateSession: (session) => session.updateSession(() => count({ a: 1 })),
  watch: (session) => session.watch({ since: 0 })[Symbol.asyncIterator]().next(),
  verify: (session) => session.verify(),
};
