import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { everyMethod, type IoMethod } from "../../samples/every-method.js";
import { listedIds } from "../../samples/listed-ids.js";
import { user } from "../../samples/messages.js";
import { startWatching } from "../../samples/watcher.js";
import { canCorrupt, noDamage } from "./no-damage.js";

const ROUNDS = 3;

/** Calls that are not about this session alone, or whose result reports the damage. */
const NOT_REFUSED: ReadonlySet<string> = new Set<IoMethod>([
  "listSessions",
  "describe",
  "importSession",
  "sessionExists",
  "verify",
  "watch",
]);

const refusing = Object.entries(everyMethod).filter(([method]) => !NOT_REFUSED.has(method));

/** Creates sessions "s" and "good" and reads both. */
async function createSessions(store: SessionStore): Promise<void> {
  await eventfulSession(store, "s");
  await store.addMessage("good", user("intact"));
  for (const id of ["s", "good"]) {
    await store.getSession(id);
    await store.exportSession(id);
  }
}

/** The outcome of a call as text, so that a failed comparison shows every call that was not refused. */
async function outcomeOf(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    const answer: unknown = await call();
    return `returned ${JSON.stringify(answer)?.slice(0, 200)}`;
  } catch (error) {
    return SessionError.is(error) ? error.code : `a foreign error: ${String(error)}`;
  }
}

async function expectRefusals(store: SessionStore): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const outcomes: Record<string, string> = {};
    for (const [method, call] of refusing) outcomes[method] = await outcomeOf(() => call(store));
    expect(outcomes, `round ${round}`).toEqual(
      Object.fromEntries(refusing.map(([method]) => [method, "SESSION_CORRUPTED"])),
    );
    await expectNotAbsent(store);
  }
}

async function expectNotAbsent(store: SessionStore): Promise<void> {
  expect(["returned true", "SESSION_CORRUPTED"]).toContain(await outcomeOf(() => store.sessionExists("s")));
  const verified = await outcomeOf(async () => (await store.verify("s")).ok);
  expect(["returned false", "SESSION_CORRUPTED"], "verify finds the damage").toContain(verified);
  expect(await listedIds(store)).toContain("good");
  expect((await store.getChatHistory("good")).map(({ content }) => content)).toEqual(["intact"]);
}

/** Every call of every instance on a damaged session is refused, until the session is repaired. */
export const repeatedDamage: Section = {
  name: "repeated reads of damage",
  cases: [
    behaviour(
      "an instance refuses every call on a damaged session, also repeatedly",
      ["G8"],
      async (store, { place, open }) => {
        await createSessions(store);
        await store.close();
        await place.corrupt?.("s");
        await expectRefusals(await open());
      },
      { applies: canCorrupt },
    ),
    behaviour(
      "a second instance and one that is opened later refuse every call too, also after refused writes",
      ["G8"],
      async (store, { place, open }) => {
        await createSessions(store);
        await store.close();
        await place.corrupt?.("s");
        const first = await open();
        await expectRefusals(first);
        await expectRefusals(await open());
        await first.close();
        await expectRefusals(await open());
      },
      { applies: canCorrupt },
    ),
    behaviour(
      "an instance that was open when the damage was done refuses every call after a verify",
      ["G8"],
      async (store, { place, open }) => {
        await createSessions(store);
        const reader = await open();
        for (const id of ["s", "good"]) await reader.getSession(id);
        // Closed first: an open store may rewrite the session and so repair it.
        await store.close();
        await place.corrupt?.("s");
        await expectNotAbsent(reader);
        await expectRefusals(reader);
      },
      { applies: canCorrupt },
    ),
    behaviour(
      "a watcher of a damaged session gets no change of it, and a watcher of the store gets those of others",
      ["G8"],
      async (store, { place, open }) => {
        await createSessions(store);
        await store.close();
        await place.corrupt?.("s");
        const damaged = await open();
        const one = startWatching(damaged, { session: "s", since: 0 });
        const all = startWatching(damaged);
        await eventually(async () => {
          await damaged.addMessage("good", user("more"));
          expect(all.seen.map(({ sessionId }) => sessionId)).toContain("good");
        });
        await all.stop();
        const end = await outcomeOf(() => one.stop());
        expect(["returned undefined", "SESSION_CORRUPTED"]).toContain(end);
        expect(one.seen).toEqual([]);
        expect(all.seen.map(({ sessionId }) => sessionId)).not.toContain("s");
      },
      { applies: canCorrupt },
    ),
    noDamage,
  ],
};
