import { expect } from "vitest";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import {
  assistant,
  contentsOf,
  idsOf,
  numbered,
  toolCalls,
  toolResult,
  user,
} from "../../samples/messages.js";

export const popMessage: Section = {
  name: "popMessage",
  covers: ["popMessage"],
  cases: [
    behaviour("the last message is removed and returned", ["G5"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(3));
      const popped = await store.popMessage("s");
      expect(popped).toEqual({ revision: 2, duplicate: false, messages: messages.slice(2) });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    behaviour(
      "popping a tool result removes its call and all results of that call",
      ["G11"],
      async (store) => {
        await store.addMessage("s", [
          user("look"),
          toolCalls("c1", "c2"),
          toolResult("c1"),
          toolResult("c2"),
        ]);
        const popped = await store.popMessage("s");
        expect(popped.messages.map((message) => message.role)).toEqual(["assistant", "tool", "tool"]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["look"]);
      },
    ),
    behaviour(
      "popping an exchange removes everything from the last user message on",
      ["G11"],
      async (store) => {
        await store.addMessage("s", [
          user("a"),
          assistant("b"),
          user("look"),
          toolCalls("c1"),
          toolResult("c1"),
          assistant("seen"),
        ]);
        const popped = await store.popMessage("s", { exchange: true });
        expect(popped.messages).toHaveLength(4);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["a", "b"]);
      },
    ),
    behaviour("popping from an empty session writes nothing", ["G5"], async (store) => {
      await store.createSession("s");
      expect(await store.popMessage("s")).toEqual({ revision: 1, duplicate: true, messages: [] });
    }),
    behaviour("an archived message is never popped", ["G15"], async (store) => {
      await store.addMessage("s", numbered(3));
      await store.archiveMessages("s");
      await expectUnchanged(store, "s", async () => {
        expect((await store.popMessage("s")).messages).toEqual([]);
        expect((await store.popMessage("s", { exchange: true })).messages).toEqual([]);
      });
    }),
    behaviour("concurrent pops remove different messages", ["G4"], async (store, { open }) => {
      const other = await open();
      await store.addMessage("s", numbered(6));
      const popped = await Promise.all([store, other, store, other].map((one) => one.popMessage("s")));
      const ids = popped.flatMap((result) => idsOf(result.messages));
      expect(ids.toSorted()).toEqual(["m3", "m4", "m5", "m6"]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    behaviour("a pop and appends that are not awaited are applied in call order", ["G4"], async (store) => {
      const first = store.addMessage("s", numbered(2));
      const popping = store.popMessage("s");
      const last = store.addMessage("s", user("after", { id: "z" }));
      await Promise.all([first, last]);
      expect(idsOf((await popping).messages)).toEqual(["m2"]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "z"]);
    }),
  ],
};
