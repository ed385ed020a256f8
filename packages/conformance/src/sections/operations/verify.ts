import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";

export const verify: Section = {
  name: "verify",
  covers: ["verify"],
  cases: [
    behaviour(
      "verifying a healthy session finds nothing harmful, whatever was done to it",
      ["G8"],
      async (store) => {
        await eventfulSession(store, "s");
        await store.forkSession("s", { newId: "f" });
        await store.deleteSession("s");
        await eventfulSession(store, "s", "another incarnation");
        for (const id of ["s", "f"]) {
          const verification = await store.verify(id);
          expect(verification).toMatchObject({
            sessionId: id,
            ok: true,
            revision: (await existingSession(store, id)).revision,
          });
          expect(verification.findings.filter((finding) => finding.severity === "harmful")).toEqual([]);
        }
      },
    ),
    behaviour("verifying an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.verify("nobody"), "SESSION_NOT_FOUND", { sessionId: "nobody" });
    }),
  ],
};
