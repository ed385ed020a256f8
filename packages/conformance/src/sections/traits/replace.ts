import type { Message, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { withoutStoreFields } from "../../samples/without-store-fields.js";

async function history(store: SessionStore): Promise<Message[]> {
  return (
    await store.addMessage("s", [
      user("hello", { createdAt: 1000, metadata: { from: "phone" } }),
      assistant("hi", { createdAt: 2000, usage: { tokens: 3 } }),
      user("yes", { createdAt: 3000 }),
      user("yes", { createdAt: 4000 }),
    ])
  ).messages;
}

export const replace: Section = {
  name: "replace keeps identity",
  cases: [
    behaviour(
      "messages that were read and written back keep their id, time and metadata",
      ["G12"],
      async (store) => {
        const messages = await history(store);
        await store.setChatHistory("s", [...messages, user("new")]);
        expect((await store.getChatHistory("s")).slice(0, 4)).toEqual(messages);
      },
    ),
    behaviour(
      "messages that are written back without ids keep their ids where they equal the stored ones",
      ["G12"],
      async (store) => {
        const messages = await history(store);
        await store.setChatHistory("s", [...messages.map(withoutStoreFields), user("new")]);
        expect((await store.getChatHistory("s")).slice(0, 4)).toEqual(messages);
      },
    ),
    behaviour("messages that are written back without a time keep their time", ["G12"], async (store) => {
      const messages = await history(store);
      const handed = messages.map(({ createdAt: _at, ...message }) => message);
      await store.setChatHistory("s", [...handed.slice(1), user("new")]);
      const times = (await store.getChatHistory("s")).map((message) => message.createdAt);
      expect(times.slice(0, 3)).toEqual([2000, 3000, 4000]);
    }),
    behaviour(
      "a new message that equals a stored one is added as another message",
      ["G12"],
      async (store) => {
        const messages = await history(store);
        await store.setChatHistory("s", [...messages.map(withoutStoreFields), user("yes")]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["hello", "hi", "yes", "yes", "yes"]);
      },
    ),
    behaviour("writing back the same history repeatedly adds no messages", ["G12"], async (store) => {
      await history(store);
      for (let n = 0; n < 5; n++)
        await store.setChatHistory("s", (await store.getChatHistory("s")).map(withoutStoreFields));
      expect(await existingSession(store, "s")).toMatchObject({ revision: 1, messageCount: 4 });
    }),
    behaviour("a new history can reorder, drop and edit messages by id", ["G12"], async (store) => {
      const [a, b, c, d] = await history(store);
      if (a === undefined || b === undefined || c === undefined || d === undefined)
        throw new Error("four messages were added");
      await store.setChatHistory("s", [d, { ...b, content: "edited" }, a]);
      const now = await store.getChatHistory("s");
      expect(idsOf(now)).toEqual([d.id, b.id, a.id]);
      expect(contentsOf(now)).toEqual(["yes", "edited", "hello"]);
      expect(now.map((message) => message.createdAt)).toEqual([4000, 2000, 1000]);
    }),
    behaviour(
      "a new history does not change snapshots and archives",
      ["G12", "G14", "G15"],
      async (store) => {
        await store.addMessage("s", numbered(4));
        await store.createSnapshot("s", "four");
        const archive = await store.archiveMessages("s", { keepRecent: 2 });
        await store.setChatHistory("s", [user("new")]);
        expect(idsOf((await store.getArchive("s", archive?.id ?? "")).messages)).toEqual(["m1", "m2"]);
        await store.revertToSnapshot("s", "four");
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3", "m4"]);
      },
    ),
    behaviour(
      "a new history with a base keeps messages that others have added since, after the caller's",
      ["G12", "G4"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(2));
        const read = await existingSession(store, "s");
        await (await open()).addMessage("s", [user("theirs 1"), user("theirs 2")]);
        const replaced = await store.setChatHistory("s", [...read.messages, user("mine")], {
          base: read.revision,
        });
        expect(contentsOf(replaced.messages)).toEqual(["mine"]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual([
          "1",
          "2",
          "mine",
          "theirs 1",
          "theirs 2",
        ]);
      },
    ),
    behaviour(
      "a new history with a base keeps the ids and times of messages that others have added since",
      ["G12"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(2));
        const read = await existingSession(store, "s");
        const { messages } = await (await open()).addMessage("s", user("theirs", { metadata: { a: 1 } }));
        await store.setChatHistory("s", [user("summary")], { base: read.revision });
        expect((await store.getChatHistory("s")).slice(1)).toEqual(messages);
      },
    ),
    behaviour(
      "a new history whose base is the current revision replaces all messages",
      ["G12"],
      async (store) => {
        await store.addMessage("s", numbered(2));
        await store.setChatHistory("s", [user("only")], { base: 1 });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["only"]);
      },
    ),
    behaviour(
      "a new history without a base comes before or after a concurrent append",
      ["G4"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", numbered(2));
        const [replaced, added] = await Promise.all([
          store.setChatHistory("s", [user("all")]),
          other.addMessage("s", user("one more")),
        ]);
        const expected = added.revision > replaced.revision ? ["all", "one more"] : ["all"];
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(expected);
      },
    ),
  ],
};
