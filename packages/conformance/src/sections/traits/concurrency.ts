import { append, count, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, user } from "../../samples/messages.js";
import { randomFrom } from "../../samples/random.js";

export const concurrency: Section = {
  name: "concurrency",
  cases: [
    behaviour(
      "a thousand concurrent appends are a thousand messages in call order, at revision 1000",
      ["G4", "G5"],
      async (store) => {
        const texts = Array.from({ length: 1000 }, (_, n) => `${n}`);
        const results = await Promise.all(texts.map((text) => store.addMessage("s", user(text))));
        const session = await existingSession(store, "s");
        expect(session.revision).toBe(1000);
        expect(contentsOf(session.messages)).toEqual(texts);
        expect(results.map((result) => result.revision)).toEqual(texts.map((_, n) => n + 1));
      },
    ),
    behaviour(
      "concurrent appends to a hundred sessions do not mix",
      ["G4", "G10"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const ids = Array.from({ length: 100 }, (_, n) => `s${n}`);
        await Promise.all(
          ids.flatMap((id) => stores.map((one, n) => one.addMessage(id, user(`${id} from ${n}`)))),
        );
        for (const id of ids) {
          const session = await existingSession(store, id);
          expect(contentsOf(session.messages).toSorted()).toEqual([0, 1, 2].map((n) => `${id} from ${n}`));
          expect(session.revision).toBe(3);
        }
      },
    ),
    behaviour(
      "concurrent calls of many kinds from three instances lose and duplicate nothing and use every revision once",
      ["G4", "G5", "G6"],
      async (store, { open, seed }) => {
        const random = randomFrom(seed);
        const stores = [store, await open(), await open()];
        await store.createSession("s");
        const added = new Set<string>();
        const removed = new Set<string>();
        const revisions: number[] = [];
        const pick = (): SessionStore => stores[Math.floor(random() * 3)] ?? store;
        const note = (revision: number, ids: readonly string[], into: Set<string>): void => {
          revisions.push(revision);
          for (const id of ids) into.add(id);
        };
        const one = async (n: number): Promise<void> => {
          const chance = random();
          const instance = pick();
          if (chance < 0.4) {
            const result = await instance.addMessage("s", [user(`${n}`), user(`${n}b`)]);
            return note(result.revision, idsOf(result.messages), added);
          }
          if (chance < 0.55) {
            const message = user(`${n}`, { id: `once ${n}` });
            const twice = await Promise.all(
              [pick(), pick()].map((each) => each.addMessage("s", message, { commitId: `c${n}` })),
            );
            expect(twice.filter((result) => !result.duplicate)).toHaveLength(1);
            return note(twice[0]?.revision ?? 0, [`once ${n}`], added);
          }
          if (chance < 0.7) {
            const result = await instance.popMessage("s", { commitId: `pop${n}` });
            return result.duplicate ? undefined : note(result.revision, idsOf(result.messages), removed);
          }
          if (chance < 0.85) {
            const result = await instance.updateSession("s", (session) => [
              append(user(`${session?.revision}`)),
              count({ computed: 1 }),
            ]);
            return note(result.revision, idsOf(result.messages), added);
          }
          return note((await instance.incrementCounters("s", { plain: 1 })).revision, [], added);
        };
        await Promise.all(Array.from({ length: 150 }, (_, n) => one(n)));
        const session = await existingSession(store, "s");
        const live = idsOf(session.messages);
        expect(new Set(live).size).toBe(live.length);
        expect(live.toSorted()).toEqual([...added].filter((id) => !removed.has(id)).toSorted());
        expect(revisions.toSorted((a, b) => a - b)).toEqual(revisions.map((_, n) => n + 2));
        expect(session.revision).toBe(revisions.length + 1);
      },
    ),
    behaviour("plain and computed calls of one caller are applied in call order", ["G4"], async (store) => {
      const calls = [
        store.addMessage("s", user("a")),
        store.updateSession("s", (session) =>
          append(user(`after ${contentsOf(session?.messages ?? []).join("")}`)),
        ),
        store.addMessage("s", user("b")),
        store.popMessage("s"),
        store.setChatHistory("s", [user("c")]),
        store.addMessage("s", user("d")),
        store.archiveMessages("s", { keepRecent: 1 }),
        store.addMessage("s", user("e")),
      ];
      await Promise.all(calls);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["d", "e"]);
      const [archive] = await store.listArchives("s");
      expect(contentsOf((await store.getArchive("s", archive?.id ?? "")).messages)).toEqual(["c"]);
    }),
    behaviour(
      "a read sees every call acknowledged before it, also while the store is busy",
      ["G3"],
      async (store, { open }) => {
        const other = await open();
        const noise = Array.from({ length: 200 }, (_, n) => store.addMessage("noise", user(`${n}`)));
        for (let n = 1; n <= 20; n++) {
          await store.addMessage("s", user(`${n}`));
          expect(contentsOf(await other.getChatHistory("s", { limit: 1 }))).toEqual([`${n}`]);
        }
        await Promise.all(noise);
      },
    ),
  ],
};
