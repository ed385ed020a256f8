import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

async function archived(store: SessionStore): Promise<string> {
  await store.addMessage("s", numbered(3));
  return (await store.archiveMessages("s", { keepRecent: 1 }))?.id ?? "";
}

export const settleArchive: Section = {
  name: "settleArchive",
  covers: ["settleArchive"],
  cases: [
    behaviour("a summary is settled in one commit", ["G5"], async (store) => {
      const id = await archived(store);
      expect(await store.settleArchive("s", id, { summary: "short" })).toMatchObject({
        revision: 3,
        duplicate: false,
      });
      expect((await store.listArchives("s"))[0]?.summary).toMatchObject({ status: "done", text: "short" });
    }),
    behaviour(
      "the first summary of an archive is not replaced by a later one",
      ["G4"],
      async (store, { open }) => {
        const id = await archived(store);
        const other = await open();
        await store.settleArchive("s", id, { summary: "first" });
        await expectUnchanged(store, "s", async () => {
          await Promise.allSettled([
            other.settleArchive("s", id, { summary: "second" }),
            other.settleArchive("s", id, { error: "late failure" }),
          ]);
        });
      },
    ),
    behaviour("a failed summary counts its attempts and can be settled again", ["G15"], async (store) => {
      const id = await archived(store);
      await store.settleArchive("s", id, { error: "no model" });
      expect((await store.listArchives("s"))[0]?.summary).toMatchObject({
        status: "failed",
        error: "no model",
        attempts: 1,
      });
      await store.settleArchive("s", id, { error: "still none" });
      expect((await store.listArchives("s"))[0]?.summary).toMatchObject({ status: "failed", attempts: 2 });
      await store.settleArchive("s", id, { summary: "at last" });
      expect((await store.listArchives("s"))[0]?.summary).toMatchObject({ status: "done", text: "at last" });
    }),
    behaviour("settling an unknown archive is ARCHIVE_NOT_FOUND", ["G2"], async (store) => {
      await archived(store);
      const settling = store.settleArchive("s", "none", { summary: "x" });
      await expectError(settling, "ARCHIVE_NOT_FOUND", { archiveId: "none" });
    }),
  ],
};
