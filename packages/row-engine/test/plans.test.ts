import type { MessageDraft, Operation } from "@sessions/protocol/backend";
import { describe, expect, test } from "vitest";
import { PlannedSession } from "./planned-session.js";

const append = (...messages: readonly MessageDraft[]): Operation => ({
  op: "append",
  messages,
  onExisting: "fail",
});
const user = (id: string): MessageDraft => ({ id, role: "user", content: id });
const draft = (content = ""): MessageDraft => ({ id: "d", role: "assistant", content, status: "partial" });
const extend = (text: string): Operation => ({ op: "extend", messageId: "d", text });

describe("a draft", () => {
  test("grows by rows of its extensions, whose bytes do not depend on its length", () => {
    const session = new PlannedSession();
    session.commit([append(draft("x".repeat(100_000)))]);
    for (const word of ["a", "b"]) {
      const plan = session.commit([extend(word)]);
      expect(plan.inserts).toEqual([]);
      expect(plan.rewrites).toEqual([]);
      expect(plan.extensions).toMatchObject([{ op: { text: word }, revision: session.state.revision }]);
    }
    expect(session.messages[0]?.content).toBe(`${"x".repeat(100_000)}ab`);
  });

  test("becomes one row when it is complete, in the same place", () => {
    const session = new PlannedSession();
    session.commit([append(user("q"), draft("He"))]);
    session.commit([extend("llo")]);
    const plan = session.commit([{ op: "extend", messageId: "d", text: ".", status: "complete" }]);
    expect(plan.rewrites).toMatchObject([{ row: 1, message: { content: "Hello." } }]);
    expect(plan.stored.hot.drafts.size).toBe(0);
    expect(plan.stored.hot.head.toJson()).toEqual([[0, 2]]);
  });

  test("that a snapshot holds stays as it is; the session goes on with a copy", () => {
    const session = new PlannedSession();
    session.commit([append(draft("before"))]);
    session.commit([{ op: "snapshot", name: "mark" }]);
    const plan = session.commit([extend(" and after")]);
    expect(plan.inserts).toMatchObject([{ message: { content: "before and after" } }]);
    session.commit([{ op: "restore", name: "mark" }]);
    expect(session.messages).toMatchObject([{ content: "before" }]);
  });
});

describe("messages that are stored already", () => {
  test("are referred to when a snapshot, an archive or a restore is made", () => {
    const session = new PlannedSession();
    session.commit([append(...["a", "b", "c"].map(user))]);
    const plans = [
      session.commit([{ op: "snapshot", name: "mark" }]),
      session.commit([{ op: "archive", through: "b", archiveId: "x" }]),
      session.commit([{ op: "restore", name: "mark" }]),
    ];
    expect(plans.flatMap(({ inserts }) => inserts)).toEqual([]);
  });

  test("are referred to when they are given back in another order, and their revisions stay", () => {
    const session = new PlannedSession();
    session.commit([append(user("a"))]);
    session.commit([append(user("b"))]);
    const [a, b] = session.messages;
    if (a === undefined || b === undefined) throw new Error("there are two messages");
    const plan = session.commit([{ op: "splice", keep: 0, messages: [b, a] }]);
    expect(plan.inserts).toEqual([]);
    expect(plan.stored.hot.head.toJson()).toEqual([
      [1, 2, 3],
      [0, 1, 3],
    ]);
    expect(session.state.history.revisions.slice()).toEqual([3, 3]);
  });

  test("are written again if the session does not hold them any more: their rows may be gone", () => {
    const session = new PlannedSession();
    session.commit([append(user("a"))]);
    const [a] = session.messages;
    if (a === undefined) throw new Error("there is a message");
    expect(session.commit([{ op: "splice", keep: 0, messages: [] }]).released).toEqual([{ from: 0, to: 1 }]);
    expect(session.commit([append(a)]).inserts).toMatchObject([{ row: 1, message: { id: "a" } }]);
  });

  test("and were staged are referred to, with the revision of the commit", () => {
    const session = new PlannedSession();
    session.commit([append(user("a"))]);
    const message = { ...user("b"), createdAt: 5 };
    const plan = session.commit([append(message)], session.rows.stage(10, [message]));
    expect(plan.inserts).toEqual([]);
    expect(plan.stored.hot.head.toJson()).toEqual([
      [0, 1],
      [10, 11, 2],
    ]);
    expect(plan.stored.nextRow).toBe(11);
  });
});

test("a history that is changed again and again keeps few runs", () => {
  const session = new PlannedSession();
  session.commit([append(...Array.from({ length: 300 }, (_, n) => user(`m${n}`)))]);
  for (let n = 0; n < 150; n++)
    session.commit([{ op: "update", message: { id: `m${2 * n}`, role: "user", content: "changed" } }]);
  expect(session.rows.stored).toMatchObject({ status: "live" });
  const plan = session.commit([append(user("last"))]);
  expect(plan.stored.hot.head.list.length).toBeLessThanOrEqual(65);
  expect(session.messages.filter(({ content }) => content === "changed")).toHaveLength(150);
});

test("generated commit ids leave the record in steps, and are forgotten when there are too many", () => {
  const session = new PlannedSession();
  let plan = session.commit([append(user("m0"))]);
  for (let n = 1; n < 5000; n++) plan = session.commit([{ op: "count", deltas: { n: 1 } }]);
  const { newest, stored, next, horizon } = plan.stored.hot.generated;
  expect(newest.length).toBeLessThan(16);
  expect(next + newest.length).toBe(5000);
  expect(stored).toBeGreaterThanOrEqual(4096 - 16);
  expect(stored).toBeLessThanOrEqual(4096 + 512 + 16);
  expect(horizon).toBeGreaterThan(0);
});
