import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { user } from "../../samples/messages.js";

export const close: Section = {
  name: "close",
  covers: ["close", Symbol.asyncDispose],
  cases: [
    behaviour("closing a store again, concurrently or later, is not an error", ["G19"], async (store) => {
      await Promise.all([store.close(), store.close()]);
      await store.close();
      await store[Symbol.asyncDispose]();
    }),
    behaviour(
      "closing one store does not close another on the same data",
      ["G19"],
      async (store, { open }) => {
        const other = await open();
        await store.close();
        await other.addMessage("s", user("x"));
        expect(await other.sessionExists("s")).toBe(true);
      },
    ),
    behaviour("`await using` closes the store", ["G19"], async (store, { place }) => {
      let used: Awaited<ReturnType<typeof place.open>>;
      {
        await using opened = await place.open();
        await opened.addMessage("s", user("x"));
        used = opened;
      }
      await expect(used.getSession("s")).rejects.toMatchObject({ code: "STORE_CLOSED" });
      expect(await store.sessionExists("s")).toBe(true);
    }),
  ],
};
