import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { untyped } from "../../samples/untyped.js";

const MOST = Number.MAX_SAFE_INTEGER;

const wrong: readonly (readonly [what: string, deltas: unknown])[] = [
  ["a broken number", { ok: 1, bad: 0.5 }],
  ["NaN", { ok: 1, bad: Number.NaN }],
  ["a string", { ok: 1, bad: "1" }],
  ["a number beyond 2^53−1", { ok: 1, bad: 2 ** 53 }],
];

export const incrementCounters: Section = {
  name: "incrementCounters",
  covers: ["incrementCounters"],
  cases: [
    behaviour("deltas are added, a new counter begins at 0", ["G5"], async (store) => {
      await store.createSession("s", { counters: { inputTokens: 50 } });
      await store.incrementCounters("s", { inputTokens: 10, turns: 1 });
      await store.incrementCounters("s", { inputTokens: -5 });
      expect(await existingSession(store, "s")).toMatchObject({
        revision: 3,
        counters: { inputTokens: 55, turns: 1 },
      });
    }),
    behaviour("counters at once from several instances all count", ["G4"], async (store, { open }) => {
      const stores = [store, await open(), await open()];
      await store.createSession("s");
      await Promise.all(
        Array.from({ length: 90 }, (_, n) => stores[n % 3]?.incrementCounters("s", { turns: 1 })),
      );
      expect(await existingSession(store, "s")).toMatchObject({ revision: 91, counters: { turns: 90 } });
    }),
    behaviour("a counter holds 2^53−1 exactly and goes no further", ["G9", "G2"], async (store) => {
      await store.createSession("s", { counters: { big: MOST - 1 } });
      await store.incrementCounters("s", { big: 1 });
      expect((await existingSession(store, "s")).counters).toEqual({ big: MOST });
      await expectUnchanged(store, "s", () =>
        expectError(store.incrementCounters("s", { other: 1, big: 1 }), "INVALID_ARGUMENT", {
          path: expect.stringContaining("big"),
        }),
      );
    }),
    behaviour("zero is no change", ["G5"], async (store) => {
      await store.createSession("s", { counters: { turns: 1 } });
      expect(await store.incrementCounters("s", { turns: 0 })).toMatchObject({
        revision: 1,
        duplicate: true,
      });
    }),
    behaviour("an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.incrementCounters("s", { turns: 1 }), "SESSION_NOT_FOUND");
    }),
    ...wrong.map(([what, deltas]) =>
      behaviour(`${what} is refused and no counter moves`, ["G2"], async (store) => {
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
