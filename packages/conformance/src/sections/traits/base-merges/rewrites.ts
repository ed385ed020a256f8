import { append, extend, type SessionStore, splice } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../../assertions/existing-session.js";
import { expectError } from "../../../assertions/expect-error.js";
import { behaviour } from "../../../behaviour.js";
import type { Case } from "../../../case.js";
import { archivedIds } from "../../../samples/archived-ids.js";
import { assistant, idsOf, numbered, user } from "../../../samples/messages.js";

/** A change of a session with messages `m1`, `m2`, `m3` and a snapshot `two` of the first two. */
type Change = (store: SessionStore) => Promise<unknown>;

const adopts: Change = async (store) => {
  const { session } = await store.exportSession("s");
  await store.commit("s", { op: "adopt", document: session }, { ifRevision: session.revision });
};

const REWRITES: readonly (readonly [string, Change])[] = [
  ["removed a message", (store) => store.removeMessages("s", "m1")],
  ["popped a message", (store) => store.popMessage("s")],
  ["cleared the session", (store) => store.clearSession("s")],
  ["updated a message", (store) => store.updateMessage("s", "m2", user("edited"))],
  ["replaced a message by its id", (store) => store.addMessage("s", user("x", { id: "m2" }), REPLACE)],
  ["replaced the history", (store) => store.setChatHistory("s", [user("summary", { id: "x" })])],
  [
    "inserted a message before others",
    (store) => store.commit("s", splice(1, [user("x"), ...numbered(2, 2)])),
  ],
  ["reverted to a snapshot", (store) => store.revertToSnapshot("s", "two")],
  ["reverted to a message", (store) => store.revertToMessage("s", "m1")],
  ["adopted a document", adopts],
  ["extended a complete message", (store) => store.commit("s", extend("m2", { text: "…" }))],
];

const REPLACE = { onExisting: "replace" } as const;

const ADDITIONS: readonly (readonly [string, Change])[] = [
  ["added a message", (store) => store.addMessage("s", user("theirs"))],
  ["sent a message again", (store) => store.addMessage("s", [...numbered(1), user("theirs")])],
  ["archived messages", (store) => store.archiveMessages("s", { keepRecent: 1 })],
  ["changed metadata", (store) => store.updateSessionMetadata("s", { a: 1 })],
  ["changed labels and title", (store) => store.patchSession("s", { title: "T", labels: { a: "b" } })],
  ["incremented a counter", (store) => store.incrementCounters("s", { turns: 1 })],
  ["created and dropped a snapshot", snapshots],
  ["ran a turn", (store) => store.runTurn("s", {}, () => [append(assistant("theirs"))])],
  ["extended and completed a draft", draft],
  ["left a draft interrupted", abandonedDraft],
];

async function snapshots(store: SessionStore): Promise<void> {
  await store.createSnapshot("s", "three");
  await store.dropSnapshot("s", "three");
}

async function draft(store: SessionStore): Promise<void> {
  await store.addMessage("s", assistant("h", { id: "d", status: "partial" }));
  await store.commit("s", extend("d", { text: "i" }));
  await store.commit("s", extend("d", { status: "complete" }));
}

async function abandonedDraft(store: SessionStore): Promise<void> {
  const turn = await store.beginTurn("s");
  if (turn.status !== "begun") throw new Error("a new turn begins");
  await turn.turn.append(assistant("h", { id: "d", status: "partial" }));
  await store.interruptTurn("s", { force: true });
}

async function threeMessages(store: SessionStore): Promise<number> {
  await store.addMessage("s", numbered(2));
  await store.createSnapshot("s", "two");
  return (await store.addMessage("s", numbered(1, 3))).revision;
}

function conflicts([what, change]: readonly [string, Change]): Case {
  return behaviour(
    `a base from before another caller ${what} is a conflict, and one from after it is not`,
    ["G4", "G5"],
    async (store, { open }) => {
      const base = await threeMessages(store);
      const other = await open();
      await change(other);
      await other.addMessage("s", user("later", { id: "later" }));
      const before = await existingSession(store, "s");
      await expectError(store.setChatHistory("s", numbered(1), { base }), "REVISION_CONFLICT", {
        expected: base,
        actual: before.revision,
        sessionId: "s",
      });
      expect(await existingSession(store, "s")).toEqual(before);
      await store.setChatHistory("s", [user("mine", { id: "mine" })], { base: before.revision - 1 });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["mine", "later"]);
    },
  );
}

function merges([what, change]: readonly [string, Change]): Case {
  return behaviour(
    `a base from before another caller ${what} is merged`,
    ["G4", "G12"],
    async (store, { open }) => {
      const base = await threeMessages(store);
      await change(await open());
      const added = (await existingSession(store, "s")).messages.filter(({ id }) => !/^m\d$/.test(id));
      const archived = await archivedIds(store, "s");
      await store.setChatHistory("s", [...numbered(3), user("mine", { id: "mine" })], { base });
      const kept = ["m1", "m2", "m3"].filter((id) => !archived.includes(id));
      const { messages } = await existingSession(store, "s");
      expect(idsOf(messages)).toEqual([...kept, "mine", ...idsOf(added)]);
      expect(messages.slice(kept.length + 1)).toEqual(added);
      expect(await archivedIds(store, "s")).toEqual(archived);
    },
  );
}

/** Cases about which changes of others allow a merge: only additions. */
export const rewriteCases: readonly Case[] = [...REWRITES.map(conflicts), ...ADDITIONS.map(merges)];
