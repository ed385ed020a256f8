import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { numbered, user } from "../../samples/messages.js";

/** No session of the section has more parts: a hook that never ends is noticed. */
const MOST_PARTS = 200;

type Call = (store: SessionStore, id: string) => PromiseLike<unknown>;

const LOST = ["SESSION_CORRUPTED", "DATA_LOST"];

/** Reads whose answers are either refused or what they were before. */
const reads: Readonly<Record<string, Call>> = {
  // First: what a whole read leaves in memory may stand in for what is gone.
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

/** What the parts of a session are made of: messages, archives, snapshots, commit ids, a turn, a draft that grows. */
async function manyParts(store: SessionStore, id: string): Promise<void> {
  await eventfulSession(store, id);
  await store.addMessage(id, { id: "draft", role: "assistant", content: "a", status: "partial" });
  for (const text of ["b", "c"]) await store.commit(id, { op: "extend", messageId: "draft", text });
}

async function endOf(call: () => PromiseLike<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    if (SessionError.is(error)) return error.code;
    throw error;
  }
}

/** Runs the check on a session for each part that one has, with that part removed. */
async function withoutEachPart(
  { place, open }: CaseContext,
  check: (damaged: SessionStore, id: string, before: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const { removePart } = place;
  if (typeof removePart !== "function") return;
  const faults: string[] = [];
  for (let number = 0; number < MOST_PARTS; number++) {
    const id = `session ${number}`;
    // Closed before the part is removed: it may be about to write the session anew.
    const writer = await open();
    await manyParts(writer, id);
    const before: Record<string, string> = {};
    for (const [name, read] of Object.entries(reads)) before[name] = await endOf(() => read(writer, id));
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
  throw new Error(`a session of this section has at least ${MOST_PARTS} parts`);
}

const canRemove = (_store: SessionStore, place: Place): boolean => typeof place.removePart === "function";

const partCase = (name: string, check: Parameters<typeof withoutEachPart>[1]): Case =>
  behaviour(name, ["G8"], (_store, context) => withoutEachPart(context, check), {
    applies: canRemove,
  });

/** A session that lacks a part is damaged. It is not absent, not shorter, and not a session that never had the part. */
export const missingPart: Section = {
  name: "missing part",
  cases: [
    partCase("a session that lacks a part is not exported, and a check finds that", async (store, id) => {
      expect(LOST).toContain(await endOf(() => store.exportSession(id)));
      expect(["false", ...LOST]).toContain(await endOf(async () => (await store.verify(id)).ok));
    }),
    partCase(
      "a read of a session that lacks a part is refused, or gives what it gave before",
      async (store, id, before) => {
        for (const [name, read] of Object.entries(reads)) {
          const end = await endOf(() => read(store, id));
          if (!LOST.includes(end)) expect(end, name).toBe(before[name]);
        }
      },
    ),
    partCase(
      "a repeated commit id is not applied again to a session that lacks a part",
      async (store, id) => {
        const end = await endOf(
          async () => (await store.addMessage(id, numbered(6), { commitId: "given" })).duplicate,
        );
        expect(["true", ...LOST]).toContain(end);
      },
    ),
    partCase(
      "a write to a session that lacks a part is refused, or is kept, and hides nothing",
      async (store, id) => {
        const end = await endOf(() => store.addMessage(id, user("after", { id: "after" })));
        if (LOST.includes(end)) return;
        expect(await endOf(() => store.getMessages(id, ["after"]))).toContain('"after"');
        expect(LOST).toContain(await endOf(() => store.exportSession(id)));
      },
    ),
    behaviour(
      "a session that lacks a part disturbs no other",
      ["G8"],
      async (store, context) => {
        await store.addMessage("good", user("intact"));
        await withoutEachPart(context, async (damaged) => {
          expect((await damaged.getChatHistory("good")).map(({ content }) => content)).toEqual(["intact"]);
          const ids: string[] = [];
          for await (const item of damaged.listSessions()) ids.push(item.id);
          expect(ids).toContain("good");
        });
      },
      { applies: canRemove },
    ),
    behaviour(
      "declared absent: only data that outlives its process can lose a part",
      ["G8"],
      async (store, { place }) => {
        if (typeof place.removePart === "object") expect(place.removePart.reason).toMatch(/\w+ \w+/);
        else
          expect(store.capabilities.durable, "a durable store's place gives `removePart`").toMatchObject({
            supported: false,
          });
      },
      { applies: (store, place) => !canRemove(store, place) },
    ),
  ],
};
