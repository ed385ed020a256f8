import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { everyMethod, type IoMethod } from "../../samples/every-method.js";
import { user } from "../../samples/messages.js";
import { startWatching } from "../../samples/watcher.js";
import { noDamage } from "./no-damage.js";

const ROUNDS = 3;

/** Calls that are about other sessions too, or whose answer says itself that there is damage. */
const NOT_REFUSED: ReadonlySet<string> = new Set<IoMethod>([
  "listSessions",
  "describe",
  "importSession",
  "sessionExists",
  "verify",
  "watch",
]);

const refusing = Object.entries(everyMethod).filter(([method]) => !NOT_REFUSED.has(method));

/** A session "s" with everything in it, and a session "good". It has been read by `store`. */
async function filled(store: SessionStore): Promise<void> {
  await eventfulSession(store, "s");
  await store.addMessage("good", user("intact"));
  for (const id of ["s", "good"]) {
    await store.getSession(id);
    await store.exportSession(id);
  }
}

/** How a call ended, as text: a failed comparison then shows every call that was not refused. */
async function endOf(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    const answer: unknown = await call();
    return `answered ${JSON.stringify(answer)?.slice(0, 200)}`;
  } catch (error) {
    return SessionError.is(error) ? error.code : `a foreign error: ${String(error)}`;
  }
}

async function expectRefusals(store: SessionStore): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const ends: Record<string, string> = {};
    for (const [method, call] of refusing) ends[method] = await endOf(() => call(store));
    expect(ends, `round ${round}`).toEqual(
      Object.fromEntries(refusing.map(([method]) => [method, "SESSION_CORRUPTED"])),
    );
    await expectNotAbsent(store);
  }
}

async function expectNotAbsent(store: SessionStore): Promise<void> {
  expect(["answered true", "SESSION_CORRUPTED"]).toContain(await endOf(() => store.sessionExists("s")));
  const verified = await endOf(async () => (await store.verify("s")).ok);
  expect(["answered false", "SESSION_CORRUPTED"], "verify finds the damage").toContain(verified);
  const listed: string[] = [];
  for await (const { id } of store.listSessions()) listed.push(id);
  expect(listed).toContain("good");
  expect((await store.getChatHistory("good")).map(({ content }) => content)).toEqual(["intact"]);
}

const canCorrupt = (_store: SessionStore, place: Place): boolean => place.corrupt !== undefined;

/** Damage stays damage: for every call, every instance, however often, until it is repaired. */
export const repeatedDamage: Section = {
  name: "repeated reads of damage",
  cases: [
    behaviour(
      "an instance that meets damage refuses every call on that session, again and again",
      ["G8"],
      async (store, { place, open }) => {
        await filled(store);
        await store.close();
        await place.corrupt?.("s");
        await expectRefusals(await open());
      },
      { applies: canCorrupt },
    ),
    behaviour(
      "a second instance and one that is opened later refuse as the first does, after all refused writes",
      ["G8"],
      async (store, { place, open }) => {
        await filled(store);
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
      "an instance that was open when the damage was done refuses once a check has found it",
      ["G8"],
      async (store, { place, open }) => {
        await filled(store);
        const reader = await open();
        for (const id of ["s", "good"]) await reader.getSession(id);
        // The writer may have been about to write the session anew: then there would be no damage left.
        await store.close();
        await place.corrupt?.("s");
        await expectNotAbsent(reader);
        await expectRefusals(reader);
      },
      { applies: canCorrupt },
    ),
    behaviour(
      "a watcher of a damaged session is told of no change, and one of all sessions hears of the others",
      ["G8"],
      async (store, { place, open }) => {
        await filled(store);
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
        const end = await endOf(() => one.stop());
        expect(["answered undefined", "SESSION_CORRUPTED"]).toContain(end);
        expect(one.seen).toEqual([]);
        expect(all.seen.map(({ sessionId }) => sessionId)).not.toContain("s");
      },
      { applies: canCorrupt },
    ),
    noDamage,
  ],
};
