import type { MessageDraft, Operation } from "@sessions/protocol";
import fc from "fast-check";
import { elsewhere, toBrim } from "./behind-its-back.js";
import type { Asked, Twin } from "./twin.js";

/** Something that is done to a store. */
export interface Step {
  readonly name: string;
  readonly run: (twin: Twin) => Promise<void>;
  /** For counterexamples. */
  readonly [fc.toStringMethod]: () => string;
}

function step(name: string, run: Step["run"]): Step {
  return { name, run, [fc.toStringMethod]: () => name };
}

function append(...messages: readonly MessageDraft[]): Asked {
  return { ops: [{ op: "append", messages, onExisting: "fail" }] };
}

/** Messages one after the other, as agents and bots write them. */
export function plain(count: number, sessionId = "s"): Step {
  return step(`${count} × plain to ${sessionId}`, async (twin) => {
    for (let times = 0; times < count; times++) await twin.commit({ ...append(twin.message()), sessionId });
  });
}

/** Many messages in one commit. */
export function together(count: number): Step {
  return step(`${count} together`, (twin) =>
    twin.commit(append(...Array.from({ length: count }, () => twin.message()))),
  );
}

function one(name: string, ask: (twin: Twin) => Asked): Step {
  return step(name, (twin) => twin.commit(ask(twin)));
}

function operation(op: Operation): Step {
  return one(op.op, () => ({ ops: [op] }));
}

export const draft: Step = one("a draft", (twin) => append({ ...twin.message(), status: "partial" }));
export const named: Step = one("a caller's commit id", (twin) => ({
  ...append(twin.message()),
  digest: "its digest",
}));
export const snapshot: Step = one("snapshot", (twin) => ({
  ops: [{ op: "snapshot", name: twin.name("snapshot") }],
}));
export const read: Step = step("others write, and it is read again", elsewhere);

/** Leaves only some of the live messages. */
export function remove(name: string, isRemoved: (index: number) => boolean): Step {
  return step(name, async (twin) => {
    const live = (await twin.messages()).map(({ id }) => id);
    await twin.commit({ ops: [{ op: "remove", messageIds: live.filter((_, index) => isRemoved(index)) }] });
  });
}

export function keep(count: number): Step {
  return operation({ op: "splice", keep: count, messages: [] });
}

/** The session's messages in another one, which holds the same rows. */
export const fork: Step = step("fork", async (twin) => {
  const document = await twin.document();
  if (document !== undefined)
    await twin.commit({ sessionId: "f", ops: [{ op: "create", document: { ...document, snapshots: [] } }] });
});

export function brim(left: number): Step {
  return step(`room for ${left} more`, (twin) => toBrim(twin, left));
}

/** An id that was used before, or will be, or is not in order. */
const anyId: fc.Arbitrary<string> = fc.oneof(
  fc.nat({ max: 200 }).map((n) => `message-${String(n).padStart(6, "0")}`),
  fc.constantFrom("a", "zz", "ä", "\ud800", "\u0000"),
);

const odd: fc.Arbitrary<Step> = fc
  .record({ id: anyId, content: fc.constantFrom("", "é\ud83d\ude00", "\ud800"), second: fc.boolean() })
  .map(({ id, content, second }) =>
    one(`message ${JSON.stringify(id)}`, () => ({
      ...append({ id, role: "user", content, ...(second ? { createdAt: 1.5, extra: [null, {}] } : {}) }),
    })),
  );

const twoAtOnce: Step = step("two commits of one call", (twin) =>
  twin.commit(append(twin.message()), append(twin.message())),
);

const others: readonly Step[] = [
  draft,
  named,
  snapshot,
  read,
  fork,
  twoAtOnce,
  together(3),
  keep(2),
  keep(20),
  remove("without every third", (index) => index % 3 === 1),
  remove("without the last", (index) => index > 4),
  operation({ op: "restore", name: "snapshot-000001" }),
  operation({ op: "set", labels: { user: "ada" }, title: "é", metadata: { a: [1] } }),
  operation({ op: "set", expiresAt: 1_760_000_000_000 }),
  operation({ op: "set", expiresAt: null, labels: { user: null } }),
  operation({ op: "count", deltas: { turns: 1 } }),
  operation({ op: "turn", action: "begin", turnId: "t1", nonce: "x", ttlMs: 60_000 }),
  operation({ op: "turn", action: "interrupt", force: true }),
  operation({ op: "delete" }),
];

/** What stores are asked for: mostly plain appends. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }).map((count) => plain(count)) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((count) => plain(count, "f")) },
    { weight: 2, arbitrary: odd },
    { weight: 6, arbitrary: fc.constantFrom(...others) },
  ),
  { minLength: 1, maxLength: 20, size: "max" },
);
