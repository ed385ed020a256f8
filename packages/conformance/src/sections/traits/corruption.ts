import { append, SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import { listedIds } from "../../samples/listed-ids.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { canCorrupt, noDamage } from "./no-damage.js";

const reads: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  getSession: (store) => store.getSession("bad"),
  getChatHistory: (store) => store.getChatHistory("bad"),
  exportSession: (store) => store.exportSession("bad"),
};

const writes: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  createSession: (store) => store.createSession("bad"),
  addMessage: (store) => store.addMessage("bad", user("over it")),
  setChatHistory: (store) => store.setChatHistory("bad", [user("over it")]),
  updateSessionMetadata: (store) => store.updateSessionMetadata("bad", { a: 1 }),
  commit: (store) => store.commit("bad", append(user("over it"))),
  beginTurn: (store) => store.beginTurn("bad"),
};

/** Creates sessions "good" and "bad", damages the stored data of "bad", and returns a store that is opened afterwards. */
async function reopenedWithDamage(store: SessionStore, { place, open }: CaseContext): Promise<SessionStore> {
  for (const id of ["good", "bad"]) {
    await store.createSession(id, { labels: { kind: "any" }, messages: numbered(3) });
    for (const n of [4, 5, 6]) await store.addMessage(id, numbered(1, n));
  }
  await store.close();
  await place.corrupt?.("bad");
  return open();
}

const damagedCase = (
  name: string,
  run: (reopened: SessionStore, context: CaseContext) => Promise<void>,
): Case =>
  behaviour(name, ["G8"], async (store, context) => run(await reopenedWithDamage(store, context), context), {
    applies: canCorrupt,
  });

export const corruption: Section = {
  name: "corruption",
  cases: [
    ...Object.entries(reads).map(([method, read]) =>
      damagedCase(
        `${method} of a damaged session is SESSION_CORRUPTED, never an empty result`,
        async (store) => {
          await expectError(read(store), "SESSION_CORRUPTED", { sessionId: "bad" });
        },
      ),
    ),
    ...Object.entries(writes).map(([method, write]) =>
      damagedCase(
        `${method} of a damaged session is SESSION_CORRUPTED and writes nothing`,
        async (store, { open }) => {
          await expectError(write(store), "SESSION_CORRUPTED", { sessionId: "bad" });
          await expectError((await open()).getSession("bad"), "SESSION_CORRUPTED", { sessionId: "bad" });
        },
      ),
    ),
    damagedCase("sessionExists does not report a damaged session as absent", async (store) => {
      const answer = await store.sessionExists("bad").catch((error: unknown) => error);
      if (answer !== true) expect(SessionError.is(answer, "SESSION_CORRUPTED")).toBe(true);
    }),
    damagedCase("a damaged session does not affect other sessions", async (store) => {
      expect(contentsOf(await store.getChatHistory("good"))).toEqual(["1", "2", "3", "4", "5", "6"]);
      await store.addMessage("good", user("7"));
      await store.addMessage("new", user("1"));
      expect(await listedIds(store)).toEqual(expect.arrayContaining(["good", "new"]));
      expect(await store.verify("good")).toMatchObject({ ok: true });
    }),
    damagedCase("verifying a damaged session finds the damage", async (store) => {
      const verification = await store.verify("bad").catch((error: unknown) => error);
      if (SessionError.is(verification, "SESSION_CORRUPTED")) return;
      expect(verification).toMatchObject({
        ok: false,
        findings: expect.arrayContaining([expect.objectContaining({ severity: "harmful" })]),
      });
    }),
    damagedCase("SESSION_CORRUPTED says where the damage is and what to do", async (store) => {
      const error = await expectError(store.getSession("bad"), "SESSION_CORRUPTED");
      expect(error).toMatchObject({ location: expect.stringMatching(/.+/), retryable: false });
      expect(error.message).toMatch(/\w+ \w+ \w+/);
    }),
    behaviour(
      "a store that is opened later notices damage that was done while another store was open",
      ["G8"],
      async (store, { place, open }) => {
        await store.addMessage("bad", numbered(3));
        await place.corrupt?.("bad");
        await expectError((await open()).getChatHistory("bad"), "SESSION_CORRUPTED");
      },
      { applies: canCorrupt },
    ),
    noDamage,
  ],
};
