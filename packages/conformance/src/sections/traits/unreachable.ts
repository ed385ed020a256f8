import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";

const UNREACHABLE = ["STORE_UNAVAILABLE", "STORE_BUSY", "OUTCOME_UNKNOWN"] as const;

export const unreachable: Section = {
  name: "unreachable",
  runsAlone: true,
  cases: [
    behaviour(
      "calls fail with a retryable error while the engine cannot be reached",
      ["G18"],
      async (store, { place }) => {
        await store.addMessage("s", numbered(1));
        const restore = await place.interrupt?.();
        const errors = await Promise.all([
          expectError(store.getSession("s"), ["STORE_UNAVAILABLE", "STORE_BUSY"]),
          expectError(store.addMessage("s", user("x")), UNREACHABLE),
          expectError(store.listSessions(), ["STORE_UNAVAILABLE", "STORE_BUSY"]),
        ]);
        for (const error of errors) expect(error.retryable).toBe(true);
        await restore?.();
      },
      { applies: (_store, place) => place.interrupt !== undefined },
    ),
    behaviour(
      "a commit that is repeated when the engine is reachable again is applied once",
      ["G6", "G18"],
      async (store, { place }) => {
        await store.addMessage("s", numbered(1));
        const restore = await place.interrupt?.();
        await expectError(store.addMessage("s", user("x"), { commitId: "c1" }), UNREACHABLE);
        await restore?.();
        await eventually(() => store.addMessage("s", user("x"), { commitId: "c1" }));
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["1", "x"]);
      },
      { applies: (_store, place) => place.interrupt !== undefined },
    ),
    behaviour(
      "declared absent: a store whose place has no hook `interrupt` is healthy",
      ["G18"],
      async (store) => {
        await store.addMessage("s", user("x"));
        expect(await store.describe()).toMatchObject({ healthy: true });
      },
      { applies: (_store, place) => place.interrupt === undefined },
    ),
  ],
};
