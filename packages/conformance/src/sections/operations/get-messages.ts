import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { MANY_IDS } from "../../samples/many-ids.js";
import { idsOf, numbered } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

export const getMessages: Section = {
  name: "getMessages",
  covers: ["getMessages"],
  cases: [
    behaviour(
      "messages are returned in the order of the requested ids, without unknown ones",
      [],
      async (store) => {
        const { messages } = await store.addMessage("s", numbered(4));
        const read = await store.getMessages("s", ["m3", "nobody", "m1"]);
        expect(read).toEqual([messages[2], messages[0]]);
      },
    ),
    behaviour("archived messages are found by id, as live ones are", ["G15"], async (store) => {
      await store.addMessage("s", numbered(4));
      await store.archiveMessages("s", { keepRecent: 1 });
      expect(idsOf(await store.getMessages("s", ["m4", "m1"]))).toEqual(["m4", "m1"]);
    }),
    behaviour("removed messages are no longer found", ["G3"], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.removeMessages("s", "m1");
      expect(idsOf(await store.getMessages("s", ["m1", "m2"]))).toEqual(["m2"]);
    }),
    behaviour("an absent session has no messages", ["G16"], async (store) => {
      expect(await store.getMessages("nobody", ["m1"])).toEqual([]);
    }),
    behaviour("thousands of messages can be read in one call", ["G18"], async (store, { open }) => {
      await store.createSession("s", { messages: numbered(MANY_IDS) });
      const ids = numbered(MANY_IDS)
        .map(({ id }) => String(id))
        .toReversed();
      for (const one of [store, await open()])
        expect(idsOf(await one.getMessages("s", [...ids, "nobody"]))).toEqual(ids);
    }),
    behaviour("an argument that is not a list of strings is refused", [], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectError(store.getMessages("s", untyped<string[]>([7])), "INVALID_ARGUMENT");
      await expectError(store.getMessages("s", untyped<string[]>("m1")), "INVALID_ARGUMENT");
    }),
  ],
};
