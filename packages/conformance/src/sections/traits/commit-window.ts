import type { Operation } from "@sessions/protocol/backend";
import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { emptyDocument } from "../../samples/empty-document.js";
import { appendOperation, request, send } from "../../samples/requests.js";

const HOUR_MS = 3_600_000;

export const commitWindow: Section = {
  name: "the commit window of a backend",
  cases: [
    behaviour(
      "a request without operations asks whether its id is known",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        expect(await send(backend, request("s", "c1", [], { digest: "d" }))).toMatchObject({
          status: "unchanged",
          revision: 0,
        });
        const first = await send(
          backend,
          request("s", "c1", [appendOperation("m1")], { digest: "d", receipt: { result: ["x"] } }),
        );
        expect(first).toMatchObject({ status: "applied", revision: 1 });
        const asked = await send(backend, request("s", "c1", [], { digest: "d" }));
        expect(asked).toMatchObject({ status: "duplicate", revision: 1, receipt: { result: ["x"] } });
        expect(await send(backend, request("s", "c2", [], { digest: "d" }))).toMatchObject({
          status: "unchanged",
          revision: 1,
        });
      },
    ),
    behaviour(
      "a known id with another digest is COMMIT_ID_REUSED, with and without operations",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        await send(backend, request("s", "c1", [appendOperation("m1")], { digest: "d" }));
        for (const ops of [[], [appendOperation("m2")]]) {
          const outcome = await send(backend, request("s", "c1", ops, { digest: "other" }));
          expect(outcome).toMatchObject({
            status: "rejected",
            error: { code: "COMMIT_ID_REUSED", commitId: "c1" },
          });
        }
      },
    ),
    behaviour(
      "a generated commit id that is sent again is applied once",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        const one = request("s", "generated", [appendOperation("m1")]);
        expect(await send(backend, one)).toMatchObject({ status: "applied", revision: 1 });
        expect(await send(backend, { ...one, ageMs: 5 })).toMatchObject({ status: "duplicate", revision: 1 });
        expect((await backend.read("s", { messages: "all" }))?.messages).toHaveLength(1);
      },
    ),
    behaviour(
      "the second of two requests with one id in a batch is a duplicate",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        const one = request("s", "c1", [appendOperation("m1")], { digest: "d" });
        const outcomes = await backend.commit([one, request("s", "c2", [appendOperation("m2")]), one]);
        expect(outcomes.map((outcome) => outcome.status)).toEqual(["applied", "applied", "duplicate"]);
      },
    ),
    behaviour(
      "a repeat that is older than the window is OUTCOME_UNKNOWN and not applied",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        const at = Date.now();
        // Imported with a window that has no commits from before an hour ago.
        const horizon = at - HOUR_MS;
        await send(backend, request("s", "seed", [{ op: "create", document: emptyDocument(horizon) }]));
        const late = await send(
          backend,
          request("s", "c1", [appendOperation("m1")], { digest: "d", ageMs: 2 * HOUR_MS }),
        );
        expect(late).toMatchObject({
          status: "rejected",
          error: { code: "OUTCOME_UNKNOWN", commitId: "c1" },
        });
        expect((await backend.read("s", { messages: "all" }))?.messages).toEqual([]);
        const timely = await send(
          backend,
          request("s", "c2", [appendOperation("m1")], { digest: "d", ageMs: HOUR_MS / 2 }),
        );
        expect(timely).toMatchObject({ status: "applied" });
        const fresh = await send(backend, request("s", "c3", [appendOperation("m2")], { digest: "d" }));
        expect(fresh).toMatchObject({ status: "applied" });
      },
    ),
    behaviour(
      "a repeat whose id has left the window is not applied again",
      ["G6"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        const past = Date.now() - 72 * HOUR_MS;
        const first = request("s", "c0", [appendOperation("m0")], { digest: "d", at: past });
        await send(backend, first);
        for (let n = 1; n <= 700; n += 50) {
          const batch = Array.from({ length: 50 }, (_, k) => n + k);
          await backend.commit(
            batch.map((k) => request("s", `c${k}`, [count(k)], { digest: "d", at: past + k })),
          );
        }
        const again = await send(backend, { ...first, at: Date.now(), ageMs: 72 * HOUR_MS });
        if (again.status === "rejected") expect(again.error.code).toBe("OUTCOME_UNKNOWN");
        else expect(again).toMatchObject({ status: "duplicate", revision: 1 });
        expect((await backend.read("s", { messages: "none" }))?.messageCount).toBe(1);
      },
    ),
  ],
};

function count(n: number): Operation {
  return { op: "count", deltas: { n } };
}
