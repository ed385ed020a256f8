import type { HistoryEvent } from "@sessions/conformance/multi-process";
import { describe, expect, test } from "vitest";
import { judge, type SortedLog } from "../../src/judge/judge.js";
import type { ReceivedChange } from "../../src/log/log-line.js";

const append = { kind: "append", ids: ["m1"], commitId: "c1" } as const;
const invoked: HistoryEvent = {
  type: "invoke",
  process: "w1-1",
  call: 1,
  at: 10,
  session: "s",
  action: append,
};
const acknowledged: HistoryEvent = { type: "ok", process: "w1-1", call: 1, at: 20, result: { revision: 1 } };

function kinds(log: Partial<SortedLog>): string[] {
  const whole = {
    history: [invoked, acknowledged],
    listings: [],
    feeds: [],
    finalStates: [],
    unexpectedErrors: [],
    ...log,
  };
  return judge(whole).map(({ kind }) => kind);
}

function listing(sessions: readonly string[], invokedAt: number, at: number): Partial<SortedLog> {
  return { listings: [{ type: "listed", process: "w2-1", invokedAt, at, sessions }] };
}

function finalState(applied: number, ...harm: readonly string[]): Partial<SortedLog> {
  return { finalStates: [{ type: "final-state", session: "s", revision: 1, harm, applied }] };
}

describe("a listing", () => {
  test("a listing must have a session that was acknowledged before the listing began", () => {
    expect(kinds(listing([], 21, 30))).toEqual(["listing"]);
    expect(kinds(listing([], 15, 30))).toEqual([]);
    expect(kinds(listing(["s"], 21, 30))).toEqual([]);
  });

  test("a listing must not have a session twice, or one that no process had tried to create", () => {
    expect(kinds(listing(["s", "s"], 21, 30))).toEqual(["listing"]);
    expect(kinds(listing(["s"], 1, 5))).toEqual(["listing"]);
    expect(kinds(listing(["s", "ghost"], 21, 30))).toEqual(["listing"]);
  });
});

describe("final states", () => {
  test("an acknowledged commit id must be applied exactly once", () => {
    expect(kinds(finalState(0))).toEqual(["lost"]);
    expect(kinds(finalState(1))).toEqual([]);
    expect(kinds(finalState(2))).toEqual(["doubled"]);
  });

  test("a commit id that was never acknowledged may be applied once or not at all", () => {
    expect(kinds({ history: [invoked], ...finalState(0) })).toEqual([]);
    expect(kinds({ history: [invoked], ...finalState(1) })).toEqual([]);
    expect(kinds({ history: [invoked], ...finalState(2) })).toEqual(["doubled"]);
  });

  test("every session must pass `verify`", () => {
    expect(kinds(finalState(1, "a flipped byte"))).toEqual(["verification"]);
  });
});

test("an error that no store may throw is a finding", () => {
  const unexpected = {
    type: "unexpected-error",
    process: "w1-1",
    at: 1,
    session: "s",
    detail: "TypeError",
  } as const;
  expect(kinds({ unexpectedErrors: [unexpected] })).toEqual(["unexpected-error"]);
});

describe("a watcher", () => {
  const state = { type: "final-state", session: "s", revision: 1, harm: [], applied: 1 } as const;
  const received = (session: string, revision: number, at: number): ReceivedChange => {
    return { type: "change-received", watcher: 1, at, session, revision, cursor: `${at}` };
  };
  const feeds = (...lines: readonly ReceivedChange[]): string[] =>
    kinds({ feeds: lines, finalStates: [state] });

  test("a watcher must receive the last change of every session that changed after the first change it received", () => {
    expect(feeds(received("s", 1, 21))).toEqual([]);
    expect(feeds(received("other", 1, 5))).toContain("feed");
  });

  test("a watcher need not receive changes from before the first change it received", () => {
    const other: HistoryEvent = { ...invoked, call: 2, session: "other" };
    const made: HistoryEvent = { ...acknowledged, call: 2 };
    const history = [invoked, acknowledged, { ...other, at: 30 }, { ...made, at: 40 }];
    const both = [state, { ...state, session: "other" }];
    expect(kinds({ history, feeds: [received("other", 1, 41)], finalStates: both })).toEqual([]);
  });

  test("a watcher must not receive a change that no process made", () => {
    expect(feeds(received("s", 1, 21), received("ghost", 1, 22))).toEqual(["feed"]);
    expect(feeds(received("s", 1, 21), received("s", 2, 22))).toEqual(["feed"]);
  });
});
