import { append, set } from "@sessions/protocol";
import type { Operation } from "./operation.js";
import { message } from "./samples.js";

/** Every mutator of the contract. */
export const changes: readonly Operation[] = [
  {
    name: "createSession",
    calls: [({ store, commitId }) => store.createSession("new", { title: "new" }, { commitId })],
  },
  {
    name: "addMessage, the first of a session",
    calls: [({ store, commitId }) => store.addMessage("new", message("n1"), { commitId })],
  },
  {
    name: "addMessage",
    sharedSession: "s",
    calls: [({ store, commitId }) => store.addMessage("s", message("m8"), { commitId })],
  },
  {
    name: "addMessage of a long message",
    calls: [
      ({ store, commitId }) =>
        store.addMessage("s", { ...message("m8"), content: "long ".repeat(40_000) }, { commitId }),
    ],
  },
  {
    name: "addMessage, three callers at once",
    sharedSession: "s",
    calls: ["a1", "a2", "a3"].map(
      (id) =>
        ({ store, commitId }) =>
          store.addMessage("s", message(id), { commitId }),
    ),
  },
  {
    name: "addMessage, three callers at once on a new session",
    calls: ["a1", "a2", "a3"].map(
      (id) =>
        ({ store, commitId }) =>
          store.addMessage("new", message(id), { commitId }),
    ),
  },
  {
    name: "addMessage to three sessions at once",
    calls: ["s", "other", "fork"].map(
      (session) =>
        ({ store, commitId }) =>
          store.addMessage(session, message("a1"), { commitId }),
    ),
  },
  {
    name: "addMessage, with the tidying behind it",
    runsUpkeep: true,
    calls: [({ store, commitId }) => store.addMessage("s", message("m8"), { commitId })],
  },
  {
    name: "setChatHistory",
    calls: [({ store, commitId }) => store.setChatHistory("s", [message("m3"), message("r1")], { commitId })],
  },
  {
    name: "updateMessage",
    calls: [
      ({ store, commitId }) =>
        store.updateMessage("s", "m4", { role: "user", content: "changed" }, { commitId }),
    ],
  },
  {
    name: "removeMessages",
    calls: [({ store, commitId }) => store.removeMessages("s", ["m4", "m5"], { commitId })],
  },
  { name: "popMessage", calls: [({ store, commitId }) => store.popMessage("s", { commitId })] },
  { name: "clearSession", calls: [({ store, commitId }) => store.clearSession("s", { commitId })] },
  {
    name: "archiveMessages",
    calls: [({ store, commitId }) => store.archiveMessages("s", { keepRecent: 2 }, { commitId })],
  },
  {
    name: "settleArchive",
    prepare: async (store) => (await store.archiveMessages("s", { keepRecent: 2 }))?.id ?? "",
    calls: [
      ({ store, commitId, prepared }) =>
        store.settleArchive("s", prepared, { summary: "more" }, { commitId }),
    ],
  },
  {
    name: "createSnapshot",
    calls: [({ store, commitId }) => store.createSnapshot("s", "now", { commitId })],
  },
  {
    name: "revertToSnapshot",
    calls: [({ store, commitId }) => store.revertToSnapshot("s", "before", { commitId })],
  },
  {
    name: "revertToMessage",
    calls: [({ store, commitId }) => store.revertToMessage("s", "m5", { commitId })],
  },
  {
    name: "dropSnapshot",
    calls: [({ store, commitId }) => store.dropSnapshot("s", "before", { commitId })],
  },
  {
    name: "forkSession",
    calls: [({ store, commitId }) => store.forkSession("s", { newId: "new" }, { commitId })],
  },
  {
    name: "importSession",
    prepare: async (store) => JSON.stringify(await store.exportSession("s")),
    calls: [
      ({ store, commitId, prepared }) =>
        store.importSession(JSON.parse(prepared), { newId: "new", commitId }),
    ],
  },
  {
    name: "deleteSession",
    calls: [({ store, commitId }) => store.deleteSession("other", { commitId })],
  },
  {
    name: "deleteSession, with the tidying behind it",
    runsUpkeep: true,
    calls: [({ store, commitId }) => store.deleteSession("other", { commitId })],
  },
  {
    name: "patchSession",
    calls: [
      ({ store, commitId }) =>
        store.patchSession("s", { title: "other", labels: { kind: null, user: "ann" } }, { commitId }),
    ],
  },
  {
    name: "updateSessionMetadata",
    calls: [({ store, commitId }) => store.updateSessionMetadata("s", { color: "blue" }, { commitId })],
  },
  {
    name: "incrementCounters",
    calls: [({ store, commitId }) => store.incrementCounters("s", { turns: 2 }, { commitId })],
  },
  {
    name: "commit of several changes",
    calls: [
      ({ store, commitId }) =>
        store.commit("s", [append(message("m8")), set({ metadata: { size: 8 } })], { commitId }),
    ],
  },
  {
    name: "updateSession",
    calls: [
      ({ store, commitId }) =>
        store.updateSession("s", (session) => set({ metadata: { seen: session?.messageCount ?? 0 } }), {
          commitId,
        }),
    ],
  },
];
