import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { expectNotDurable } from "../../assertions/expect-not-durable.js";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { listedIds } from "../../samples/listed-ids.js";
import { numbered, user } from "../../samples/messages.js";

/** More than any session of this section has: a hook that never returns `undefined` fails. */
const MAX_PARTS = 200;

type Call = (store: SessionStore, id: string) => PromiseLike<unknown>;

const DAMAGE_CODES = ["SESSION_CORRUPTED", "DATA_LOST"];

/** Reads that must either be refused or return what they returned before. */
const reads: Readonly<Record<string, Call>> = {
  // First: a whole read may leave the missing part in memory.
  getMessages: (store, id) => store.getMessages(id, ["m1", "r1", "q1", "draft"]),
  getSession: async (store, id) => (await store.getSession(id)) ?? "absent",
  getChatHistory: (store, id) => store.getChatHistory(id),
  "getChatHistory of the last": (store, id) => store.getChatHistory(id, { limit: 2 }),
  getContext: (store, id) => store.getContext(id, { maxTokens: 10_000 }),
  listArchives: (store, id) => store.listArchives(id),
  getArchive: async (store, id) => store.getArchive(id, (await store.listArchives(id))[0]?.id ?? ""),
  listSnapshots: (store, id) => store.listSnapshots(id),
  sessionExists: (store, id) => store.sessionExists(id),
};

/** Creates a session with messages, archives, snapshots, commit ids, a turn and an extended draft. */
async function createParts(store: SessionStore, id: string): Promise<void> {
  await eventfulSession(store, id);
  await store.addMessage(id, { id: "draft", role: "assistant", content: "a", status: "partial" });
  for (const text of ["b", "c"]) await store.commit(id, { op: "extend", messageId: "draft", text });
}

/** The result of a call as JSON, or its error code. */
async function resultOf(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    if (SessionError.is(error)) return error.code;
    throw error;
  }
}

/** Runs the check once for each part of a session, on a session without that part. */
async function withoutEachPart(
  { place, open }: CaseContext,
  check: (damaged: SessionStore, id: string, before: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const { removePart } = place;
  if (typeof removePart !== "function") return;
  const faults: string[] = [];
  for (let number = 0; number < MAX_PARTS; number++) {
    const id = `session ${number}`;
    // Closed first: an open store may rewrite the session and so restore the part.
    const writer = await open();
    await createParts(writer, id);
    const before: Record<string, string> = {};
    for (const [name, read] of Object.entries(reads)) before[name] = await resultOf(() => read(writer, id));
    await writer.close();
    const part = await removePart(id, number);
    if (part === undefined) {
      expect(number, "a session has parts").toBeGreaterThan(0);
      expect(faults).toEqual([]);
      return;
    }
    const damaged = await open();
    await check(damaged, id, before).catch((error: unknown) =>
      faults.push(`without ${part}: ${String(error)}`),
    );
    await damaged.close();
  }
  throw new Error(`a session of this section has at least ${MAX_PARTS} parts`);
}

const canRemove = (_store: SessionStore, place: Place): boolean => typeof place.removePart === "function";

const missingPartCase = (name: string, check: Parameters<typeof withoutEachPart>[1]): Case =>
  behaviour(name, ["G8"], (_store, context) => withoutEachPart(context, check), {
    applies: canRemove,
  });

/** A session that lacks a part is damaged: it may not be read as absent, as shorter, or as if it never had the part. */
export const missingPart: Section = {
  name: "missing part",
  cases: [
    missingPartCase(
      "a session that lacks a part is not exported, and a check finds that",
      async (store, id) => {
        expect(DAMAGE_CODES).toContain(await resultOf(() => store.exportSession(id)));
        expect(["false", ...DAMAGE_CODES]).toContain(await resultOf(async () => (await store.verify(id)).ok));
      },
    ),
    missingPartCase(
      "a read of a session that lacks a part is refused, or gives what it gave before",
      async (store, id, before) => {
        for (const [name, read] of Object.entries(reads)) {
          const result = await resultOf(() => read(store, id));
          if (!DAMAGE_CODES.includes(result)) expect(result, name).toBe(before[name]);
        }
      },
    ),
    missingPartCase(
      "a repeated commit id is not applied again to a session that lacks a part",
      async (store, id) => {
        const result = await resultOf(
          async () => (await store.addMessage(id, numbered(6), { commitId: "given" })).duplicate,
        );
        expect(["true", ...DAMAGE_CODES]).toContain(result);
      },
    ),
    missingPartCase(
      "a write to a session that lacks a part is refused, or is kept, and hides nothing",
      async (store, id) => {
        const result = await resultOf(() => store.addMessage(id, user("after", { id: "after" })));
        if (DAMAGE_CODES.includes(result)) return;
        expect(await resultOf(() => store.getMessages(id, ["after"]))).toContain('"after"');
        expect(DAMAGE_CODES).toContain(await resultOf(() => store.exportSession(id)));
      },
    ),
    behaviour(
      "a session that lacks a part does not affect other sessions",
      ["G8"],
      async (store, context) => {
        await store.addMessage("good", user("intact"));
        await withoutEachPart(context, async (damaged) => {
          expect((await damaged.getChatHistory("good")).map(({ content }) => content)).toEqual(["intact"]);
          expect(await listedIds(damaged)).toContain("good");
        });
      },
      { applies: canRemove },
    ),
    behaviour(
      "declared absent: only a durable store can lose a part of a session, unless its place has a reason for none",
      ["G8"],
      async (store, { place }) => {
        if (typeof place.removePart === "object") expect(place.removePart.reason).toMatch(/\w+ \w+/);
        else expectNotDurable(store, "removePart");
      },
      { applies: (store, place) => !canRemove(store, place) },
    ),
  ],
};
