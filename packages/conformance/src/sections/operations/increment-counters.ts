import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { untyped } from "../../samples/untyped.js";

const MOST = Number.MAX_SAFE_INTEGER;

const wrong: readonly (readonly [what: string, deltas: unknown])[] = [
  ["a fractional number", { ok: 1, bad: 0.5 }],
  ["NaN", { ok: 1, bad: Number.NaN }],
  ["a string", { ok: 1, bad: "1" }],
  ["a number beyond 2^53−1", { ok: 1, bad: 2 ** 53 }],
];

export const incrementCounters: Section = {
  name: "incrementCounters",
  covers: ["incrementCounters"],
  cases: [
    behaviour("deltas are added to counters, and a new counter starts at 0", ["G5"], async (store) => {
      await store.createSession("s", { counters: { inputTokens: 50 } });
      await store.incrementCounters("s", { inputTokens: 10, turns: 1 });
      await store.incrementCounters("s", { inputTokens: -5 });
      expect(await existingSession(store, "s")).toMatchObject({
        revision: 3,
        counters: { inputTokens: 55, turns: 1 },
      });
    }),
    behaviour("concurrent increments from several instances all count", ["G4"], async (store, { open }) => {
      const stores = [store, await open(), await open()];
      await store.createSession("s");
      await Promise.all(
        Array.from({ length: 90 }, (_, n) => stores[n % 3]?.incrementCounters("s", { turns: 1 })),
      );
      expect(await existingSession(store, "s")).toMatchObject({ revision: 91, counters: { turns: 90 } });
    }),
    behaviour(
      "a counter reaches 2^53−1 exactly, and an increment beyond that is refused",
      ["G9", "G2"],
      async (store) => {
        await store.createSession("s", { counters: { big: MOST - 1 } });
        await store.incrementCounters("s", { big: 1 });
        expect((await existingSession(store, "s")).counters).toEqual({ big: MOST });
        await expectUnchanged(store, "s", () =>
          expectError(store.incrementCounters("s", { other: 1, big: 1 }), "INVALID_ARGUMENT", {
            path: expect.stringContaining("big"),
          }),
        );
      },
    ),
    behaviour("an increment by zero is not a change", ["G5"], async (store) => {
      await store.createSession("s", { counters: { turns: 1 } });
      expect(await store.incrementCounters("s", { turns: 0 })).toMatchObject({
        revision: 1,
        duplicate: true,
      });
    }),
    behaviour("incrementing a counter of an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.incrementCounters("s", { turns: 1 }), "SESSION_NOT_FOUND");
    }),
    ...wrong.map(([what, deltas]) =>
      behaviour(`an increment by ${what} is refused, and no counter changes`, ["G2"], async (store) => {
        await store.createSession("s", { counters: { ok: 1 } });
        await expectUnchanged(store, "s", () =>
          expectError(
            store.incrementCounters("s", untyped<Record<string, number>>(deltas)),
            "INVALID_ARGUMENT",
            {
              path: expect.stringContaining("bad"),
            },
          ),
        );
      }),
    ),
  ],
};
