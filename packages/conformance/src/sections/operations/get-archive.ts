import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const getArchive: Section = {
  name: "getArchive",
  covers: ["getArchive"],
  cases: [
    behaviour("an archive has its messages unchanged", ["G15", "G9"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(5));
      const first = await store.archiveMessages("s", { keepRecent: 3 });
      const second = await store.archiveMessages("s", { keepRecent: 1 });
      expect(await store.getArchive("s", first?.id ?? "")).toEqual({
        ...first,
        messages: messages.slice(0, 2),
      });
      expect(await store.getArchive("s", second?.id ?? "")).toEqual({
        ...second,
        messages: messages.slice(2, 4),
      });
    }),
    behaviour(
      "reading an unknown archive is ARCHIVE_NOT_FOUND, and one of an absent session SESSION_NOT_FOUND",
      [],
      async (store) => {
        await store.addMessage("s", numbered(1));
        await expectError(store.getArchive("s", "none"), "ARCHIVE_NOT_FOUND", { archiveId: "none" });
        await expectError(store.getArchive("nobody", "none"), "SESSION_NOT_FOUND", { sessionId: "nobody" });
      },
    ),
  ],
};
