import { describe, expect, test } from "vitest";
import { checkHistory } from "../../src/history/check-history.js";
import { Log } from "./log.js";

function kinds(log: Log): string[] {
  return [...new Set(checkHistory(log.events).map((violation) => violation.kind))].sort();
}

describe("a log with reverts, replaces and stepped clocks that keeps the contract", () => {
  test("may go back to a state and bring removed messages back with it", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.append("b", 3, "m3");
    log.ok("a", { kind: "restore", ids: ["m1", "m2"] }, { revision: 4 });
    log.read("b", 4, "m1", "m2");
    log.append("b", 5, "m4");
    log.read("b", 5, "m1", "m2", "m4");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may or may not have gone back where nobody knows", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.append("b", 3, "m2");
    log.invoke("a", { kind: "restore", ids: ["m1"] }).unknown();
    log.read("b", 3, "m2");
    log.read("b", 4, "m1");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may bring back a message of unknown outcome that an earlier read did not show", () => {
    const log = new Log();
    log.invoke("b", { kind: "append", ids: ["m1"] }).unknown();
    log.append("a", 2, "m2");
    log.ok("a", { kind: "restore", ids: [] }, { revision: 3 });
    log.append("a", 4, "m3");
    log.read("c", 4, "m3");
    log.ok("a", { kind: "restore", ids: ["m1", "m2"] }, { revision: 5 });
    log.read("c", 5, "m1", "m2");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may replace a history without some of its messages", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }, { revision: 2 });
    log.append("b", 3, "m4");
    log.read("b", 3, "m2", "m3", "m4");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may or may not have replaced it where nobody knows", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.invoke("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }).unknown();
    log.read("b", 1, "m1", "m2");
    log.read("b", 2, "m2", "m3");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may show a message of unknown outcome that earlier partial reads did not reach", () => {
    const log = new Log();
    log.invoke("b", { kind: "append", ids: ["m1"] }).unknown();
    log.append("a", 2, "m2");
    log.ok("c", { kind: "read", partial: true }, { revision: 2, ids: ["m2"] });
    log.read("c", 2, "m1", "m2");
    expect(checkHistory(log.events)).toEqual([]);
  });
});

describe("the checker finds", () => {
  test("a message that a replace left out and that is there again", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }, { revision: 2 });
    log.ok("b", { kind: "insert", ids: ["m4"] }, { revision: 3 });
    log.read("b", 3, "m2", "m3", "m4", "m1");
    expect(kinds(log)).toContain("resurrected");
  });

  test("messages of two replaces that change places", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.ok("a", { kind: "insert", ids: ["m3"] }, { revision: 3 });
    log.read("a", 3, "m1", "m3", "m2");
    log.ok("b", { kind: "insert", ids: ["m4"] }, { revision: 4 });
    log.read("a", 4, "m1", "m2", "m4", "m3");
    expect(kinds(log)).toEqual(["order"]);
  });

  test("a message that a restore does not have and that is there", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.ok("a", { kind: "restore", ids: ["m1"] }, { revision: 3 });
    log.read("b", 3, "m1", "m2");
    expect(kinds(log)).toEqual(["resurrected"]);
  });

  test("a message that a restore has and that is not there", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.ok("a", { kind: "restore", ids: ["m1", "m2"] }, { revision: 3 });
    log.read("b", 3, "m2");
    expect(kinds(log)).toEqual(["lost"]);
  });

  test("a message lost that even a restore of unknown outcome would have kept", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.invoke("b", { kind: "restore", ids: ["m1"] }).unknown();
    log.read("a", 2);
    expect(kinds(log)).toEqual(["lost"]);
  });
});
