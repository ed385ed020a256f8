import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";

/** Changes after the snapshot. */
const changesSince: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  "messages were added": (store) => store.addMessage("s", numbered(3, 10)),
  "messages were removed": (store) => store.removeMessages("s", ["m4", "m6"]),
  "a message was updated": (store) => store.updateMessage("s", "m5", user("changed")),
  "a message was extended": (store) =>
    store.commit("s", { op: "extend", messageId: "m6", text: " and more" }),
  "the history was replaced": (store) => store.setChatHistory("s", [user("other")]),
  "the history was reordered": async (store) =>
    store.setChatHistory("s", (await store.getChatHistory("s")).reverse()),
  "the history was cleared": (store) => store.clearSession("s"),
  "messages were popped": async (store) => {
    await store.popMessage("s");
    await store.popMessage("s");
    await store.addMessage("s", numbered(1, 20));
  },
  "messages were archived": (store) => store.archiveMessages("s", { keepRecent: 1 }),
  "messages were archived, settled and archived again": async (store) => {
    const archive = await store.archiveMessages("s", { keepRecent: 2 });
    await store.settleArchive("s", archive?.id ?? "", { summary: "later" });
    await store.addMessage("s", numbered(3, 30));
    await store.archiveMessages("s");
  },
  "another snapshot was reverted to": async (store) => {
    await store.clearSession("s");
    await store.createSnapshot("s", "empty");
    await store.addMessage("s", numbered(2, 40));
    await store.revertToSnapshot("s", "empty");
  },
  "a removed id came back with other content": async (store) => {
    await store.removeMessages("s", "m5");
    await store.addMessage("s", user("another five", { id: "m5" }));
  },
};

/** Creates messages 1 to 3 archived, 4 to 6 live, and a snapshot "mark". Returns that state. */
async function createMarked(store: SessionStore): Promise<string> {
  await store.addMessage("s", numbered(6));
  await store.archiveMessages("s", { keepRecent: 3 });
  await store.createSnapshot("s", "mark");
  return stateOf(store);
}

async function stateOf(store: SessionStore): Promise<string> {
  const { messages, archives, messageCount } = await existingSession(store, "s");
  const archived = await Promise.all(archives.map((archive) => store.getArchive("s", archive.id)));
  return JSON.stringify([messages, archived, messageCount]);
}

export const snapshots: Section = {
  name: "snapshots are states",
  cases: [
    ...Object.entries(changesSince).map(([what, change]) =>
      behaviour(
        `reverting restores exactly the messages and archives of the snapshot after ${what}`,
        ["G14"],
        async (store, { open }) => {
          const before = await createMarked(store);
          await change(store);
          await store.revertToSnapshot("s", "mark");
          expect(await stateOf(await open())).toBe(before);
        },
      ),
    ),
    behaviour(
      "reverting removes archives made after the snapshot and makes their messages live again",
      ["G14", "G15"],
      async (store) => {
        await store.addMessage("s", numbered(4));
        await store.createSnapshot("s", "four");
        const archive = await store.archiveMessages("s", { keepRecent: 1 });
        await store.revertToSnapshot("s", "four");
        expect(await existingSession(store, "s")).toMatchObject({ archives: [], messageCount: 4 });
        await expect(store.getArchive("s", archive?.id ?? "")).rejects.toMatchObject({
          code: "ARCHIVE_NOT_FOUND",
        });
      },
    ),
    behaviour("a session can be reverted between two snapshots repeatedly", ["G14"], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.createSnapshot("s", "two");
      await store.setChatHistory("s", numbered(3, 7));
      await store.createSnapshot("s", "other");
      for (let n = 0; n < 3; n++) {
        await store.revertToSnapshot("s", "two");
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
        await store.revertToSnapshot("s", "other");
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m7", "m8", "m9"]);
      }
    }),
    behaviour(
      "messages can be added after a revert, also under ids that it removed",
      ["G14", "G6"],
      async (store) => {
        await createMarked(store);
        await store.addMessage("s", user("undone", { id: "u" }));
        await store.revertToSnapshot("s", "mark");
        await store.addMessage("s", user("another", { id: "u" }));
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m4", "m5", "m6", "u"]);
        expect(await store.getMessages("s", ["u", "m1"])).toMatchObject([
          { content: "another" },
          { content: "1" },
        ]);
      },
    ),
    behaviour("a snapshot is unchanged after a thousand messages", ["G14"], async (store) => {
      const before = await createMarked(store);
      for (let n = 0; n < 10; n++) await store.addMessage("s", numbered(100, 1000 + n * 100));
      await store.archiveMessages("s", { keepRecent: 10 });
      await store.revertToSnapshot("s", "mark");
      expect(await stateOf(store)).toBe(before);
    }),
  ],
};
