import type { SessionBundle, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectSameJson } from "../../assertions/expect-same-json.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { hostileValues } from "../../samples/hostile-json.js";
import { idsOf, numbered, user } from "../../samples/messages.js";

/** An export after a round trip through JSON text. */
async function exportedAsJson(store: SessionStore, id: string): Promise<SessionBundle> {
  const bundle: SessionBundle = JSON.parse(JSON.stringify(await store.exportSession(id)));
  return bundle;
}

export const bundles: Section = {
  name: "bundles",
  cases: [
    behaviour(
      "the export of an imported bundle is the same bundle",
      ["G9"],
      async (store, { openElsewhere }) => {
        await eventfulSession(store, "s");
        await store.updateSessionMetadata("s", Object.fromEntries(Object.entries(hostileValues)));
        const bundle = await exportedAsJson(store, "s");
        const elsewhere = await openElsewhere();
        await elsewhere.importSession(bundle);
        expectSameJson(await elsewhere.exportSession("s"), bundle);
      },
    ),
    behaviour(
      "a bundle has the archives with their messages and summaries",
      ["G9", "G15"],
      async (store, { openElsewhere }) => {
        await eventfulSession(store, "s");
        const elsewhere = await openElsewhere();
        await elsewhere.importSession(await exportedAsJson(store, "s"));
        const archives = await store.listArchives("s");
        expect(archives).not.toEqual([]);
        for (const { id } of archives)
          expect(await elsewhere.getArchive("s", id)).toEqual(await store.getArchive("s", id));
      },
    ),
    behaviour(
      "a bundle has the snapshots with their states",
      ["G9", "G14"],
      async (store, { openElsewhere }) => {
        await eventfulSession(store, "s");
        const elsewhere = await openElsewhere();
        await elsewhere.importSession(await exportedAsJson(store, "s"));
        for (const name of ["whole", "archived"]) {
          for (const one of [store, elsewhere]) await one.revertToSnapshot("s", name);
          expect(await elsewhere.getChatHistory("s")).toEqual(await store.getChatHistory("s"));
          expect(await elsewhere.listArchives("s")).toEqual(await store.listArchives("s"));
        }
      },
    ),
    behaviour("a bundle has the remembered commit ids", ["G6"], async (store, { openElsewhere }) => {
      await store.addMessage("s", numbered(2), { commitId: "c1" });
      const popped = await store.popMessage("s", { commitId: "c2" });
      const elsewhere = await openElsewhere();
      await elsewhere.importSession(await exportedAsJson(store, "s"));
      expect(await elsewhere.addMessage("s", numbered(2), { commitId: "c1" })).toMatchObject({
        duplicate: true,
        revision: 1,
      });
      expect(await elsewhere.popMessage("s", { commitId: "c2" })).toEqual({ ...popped, duplicate: true });
      await expectError(elsewhere.addMessage("s", user("x"), { commitId: "c1" }), "COMMIT_ID_REUSED");
    }),
    behaviour("a bundle has the remembered finished turns", ["G6"], async (store, { openElsewhere }) => {
      await store.runTurn("s", { turnId: "t1" }, () => undefined);
      const elsewhere = await openElsewhere();
      await elsewhere.importSession(await exportedAsJson(store, "s"));
      expect(await elsewhere.beginTurn("s", { turnId: "t1" })).toMatchObject({ status: "duplicate" });
    }),
    behaviour("a bundle has the session's parent", ["G13"], async (store, { openElsewhere }) => {
      await store.addMessage("p", numbered(2));
      await store.forkSession("p", { newId: "f", at: "m1" });
      const elsewhere = await openElsewhere();
      await elsewhere.importSession(await exportedAsJson(store, "f"));
      expect((await existingSession(elsewhere, "f")).parent).toEqual(
        (await existingSession(store, "f")).parent,
      );
      expect(await elsewhere.getParent("f")).toBeUndefined();
      await elsewhere.importSession(await exportedAsJson(store, "p"));
      expect(await elsewhere.getParent("f")).toMatchObject({ id: "p" });
    }),
    behaviour(
      "an imported session can be changed as any other",
      ["G4", "G5"],
      async (store, { openElsewhere }) => {
        await eventfulSession(store, "s");
        const elsewhere = await openElsewhere();
        const { revision } = await elsewhere.importSession(await exportedAsJson(store, "s"));
        const before = idsOf(await elsewhere.getChatHistory("s"));
        expect(await elsewhere.addMessage("s", user("on", { id: "on" }))).toMatchObject({
          revision: revision + 1,
        });
        await elsewhere.archiveMessages("s", { keepRecent: 1 });
        expect(idsOf(await elsewhere.getChatHistory("s"))).toEqual(["on"]);
        await elsewhere.revertToSnapshot("s", "whole");
        expect(before).toContain("r1");
        expect(idsOf(await elsewhere.getChatHistory("s"))).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
      },
    ),
    behaviour(
      "concurrent imports of one bundle create one session",
      ["G6", "G4"],
      async (store, { open }) => {
        await eventfulSession(store, "s");
        const bundle = await exportedAsJson(store, "s");
        const stores = [store, await open()];
        const results = await Promise.all(
          Array.from({ length: 6 }, (_, n) => stores[n % 2]?.importSession(bundle, { newId: "n" })),
        );
        expect(results.filter((result) => result?.duplicate === false)).toHaveLength(1);
      },
    ),
    behaviour(
      "adopting a bundle can raise the revision by more than one, if ifRevision matches",
      ["G5"],
      async (store, { openElsewhere }) => {
        await store.addMessage("s", numbered(1));
        const elsewhere = await openElsewhere();
        await elsewhere.importSession(await exportedAsJson(store, "s"));
        for (const n of [2, 3, 4]) await store.addMessage("s", numbered(1, n));
        const { session } = await exportedAsJson(store, "s");
        await expectError(
          elsewhere.commit("s", { op: "adopt", document: session }, { ifRevision: 9 }),
          "REVISION_CONFLICT",
        );
        const adopted = await elsewhere.commit("s", { op: "adopt", document: session }, { ifRevision: 1 });
        expect(adopted.revision).toBe(4);
        expect(await elsewhere.getChatHistory("s")).toEqual(await store.getChatHistory("s"));
      },
    ),
  ],
};
