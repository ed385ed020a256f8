import fc from "fast-check";
import { expect, test } from "vitest";
import { type MessageInput, openSqliteStore, type SqliteStore } from "../src/index.js";
import { altered, temporaryPath } from "./temporary.js";

/** Rows that an id would not be looked for in: not in the index, and not in the block of their log's last row. */
const LOST_ROWS = `SELECT count(*) FROM messages AS m WHERE indexed = 0
  AND row / 32 <> (SELECT max(row) / 32 FROM messages WHERE log = m.log)`;

interface Step {
  readonly session: string;
  readonly process: number;
  readonly does: { readonly append: number } | { readonly appends: number } | { readonly revert: true };
}

const step: fc.Arbitrary<Step> = fc.record({
  session: fc.constantFrom("s", "fork"),
  process: fc.nat(1),
  does: fc.oneof(
    fc.record({ append: fc.constantFrom(1, 2, 31, 33, 700) }),
    fc.constant({ appends: 30 }),
    fc.constant({ revert: true } as const),
  ),
});

/** A commit of 700 messages is written in slices, before it is decided. */
const SMALL_THEN_STAGED: Step[] = [
  { session: "s", process: 0, does: { appends: 30 } },
  { session: "s", process: 1, does: { append: 700 } },
  { session: "s", process: 0, does: { append: 1 } },
];

class Conversation {
  readonly stores: readonly SqliteStore[];
  #added = 0;

  constructor(stores: readonly SqliteStore[]) {
    this.stores = stores;
  }

  /** Ids in no order: each has to be looked for before it is stored. */
  #messages(count: number): MessageInput[] {
    return Array.from({ length: count }, () => {
      this.#added++;
      return { id: `${(this.#added * 7919) % 100_003}`, role: "user", content: "x" };
    });
  }

  async take({ session, process, does }: Step): Promise<void> {
    const store = this.stores[process];
    if (store === undefined) throw new Error("two processes are open");
    if ("append" in does) await store.addMessage(session, this.#messages(does.append));
    else if ("appends" in does)
      for (let n = 0; n < does.appends; n++) await store.addMessage(session, this.#messages(1));
    else {
      const history = await store.getChatHistory(session);
      const middle = history[history.length >> 1];
      if (middle !== undefined) await store.revertToMessage(session, middle.id);
    }
  }
}

test("whatever is appended, alone or together, every message is found by its id, and no id is stored twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const path = await temporaryPath();
      await using first = await openSqliteStore({ path, sweepIntervalMs: 0 });
      await using second = await openSqliteStore({ path, sweepIntervalMs: 0 });
      const conversation = new Conversation([first, second]);
      await first.addMessage("s", { id: "m", role: "user", content: "x" });
      await first.forkSession("s", { newId: "fork" });
      for (const one of steps) {
        await conversation.take(one);
        expect(altered(path, (db) => db.prepare(LOST_ROWS).pluck().get())).toBe(0);
      }
      await using third = await openSqliteStore({ path });
      for (const session of ["s", "fork"]) {
        const history = await third.getChatHistory(session);
        for (const { id } of history.slice(-70))
          await expect(third.addMessage(session, { id, role: "user", content: "again" })).rejects.toThrow(id);
        expect(await third.getChatHistory(session)).toHaveLength(history.length);
      }
    }),
    { numRuns: 12, examples: [[SMALL_THEN_STAGED]] },
  );
}, 60_000);
