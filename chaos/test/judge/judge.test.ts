import type { HistoryEvent } from "@sessions/conformance/multi-process";
import { describe, expect, test } from "vitest";
import { judge, type SortedLog } from "../../src/judge/judge.js";
import type { Fed } from "../../src/log/log-line.js";

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
    audited: [],
    surprises: [],
    ...log,
  };
  return judge(whole).map(({ kind }) => kind);
}

function listed(sessions: readonly string[], invokedAt: number, at: number): Partial<SortedLog> {
  return { listings: [{ type: "listed", process: "w2-1", invokedAt, at, sessions }] };
}

function audited(applied: number, ...harm: readonly string[]): Partial<SortedLog> {
  return { audited: [{ type: "audited", session: "s", revision: 1, harm, applied }] };
}

describe("a listing", () => {
  test("must have a session that was acknowledged before it began", () => {
    expect(kinds(listed([], 21, 30))).toEqual(["listing"]);
    expect(kinds(listed([], 15, 30))).toEqual([]);
    expect(kinds(listed(["s"], 21, 30))).toEqual([]);
  });

  test("must not have a session twice, or one that nobody had tried to make", () => {
    expect(kinds(listed(["s", "s"], 21, 30))).toEqual(["listing"]);
    expect(kinds(listed(["s"], 1, 5))).toEqual(["listing"]);
    expect(kinds(listed(["s", "ghost"], 21, 30))).toEqual(["listing"]);
  });
});

describe("the audit", () => {
  test("must count every commit id that was acknowledged, once", () => {
    expect(kinds(audited(0))).toEqual(["lost"]);
    expect(kinds(audited(1))).toEqual([]);
    expect(kinds(audited(2))).toEqual(["doubled"]);
  });

  test("may or may not count what was never answered", () => {
    expect(kinds({ history: [invoked], ...audited(0) })).toEqual([]);
    expect(kinds({ history: [invoked], ...audited(1) })).toEqual([]);
    expect(kinds({ history: [invoked], ...audited(2) })).toEqual(["doubled"]);
  });

  test("must find every session sound", () => {
    expect(kinds(audited(1, "a flipped byte"))).toEqual(["verification"]);
  });
});

test("an error that no store may give is a finding", () => {
  const surprise = { type: "surprise", process: "w1-1", at: 1, session: "s", detail: "TypeError" } as const;
  expect(kinds({ surprises: [surprise] })).toEqual(["surprise"]);
});

describe("a watcher", () => {
  const audit = { type: "audited", session: "s", revision: 1, harm: [], applied: 1 } as const;
  const fed = (session: string, revision: number, at: number): Fed => {
    return { type: "fed", watcher: 1, at, session, revision, cursor: `${at}` };
  };
  const feeds = (...lines: readonly Fed[]): string[] => kinds({ feeds: lines, audited: [audit] });

  test("must be given the last change of every session that changed after its first one", () => {
    expect(feeds(fed("s", 1, 21))).toEqual([]);
    expect(feeds(fed("other", 1, 5))).toContain("feed");
  });

  test("need not be given what happened before its first change", () => {
    const other: HistoryEvent = { ...invoked, call: 2, session: "other" };
    const made: HistoryEvent = { ...acknowledged, call: 2 };
    const history = [invoked, acknowledged, { ...other, at: 30 }, { ...made, at: 40 }];
    const both = [audit, { ...audit, session: "other" }];
    expect(kinds({ history, feeds: [fed("other", 1, 41)], audited: both })).toEqual([]);
  });

  test("must not be given a change that nobody made", () => {
    expect(feeds(fed("s", 1, 21), fed("ghost", 1, 22))).toEqual(["feed"]);
    expect(feeds(fed("s", 1, 21), fed("s", 2, 22))).toEqual(["feed"]);
  });
});
