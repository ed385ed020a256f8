import { describe, expect, test } from "vitest";
import { checkHistory } from "../../src/history/check-history.js";
import { kinds, Log } from "./log.js";

describe("a log with reverts, replaces and stepped clocks that keeps the contract", () => {
  test("may have removed messages again after a restore", () => {
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

  test("may or may not show the effect of a restore of unknown outcome", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.append("b", 3, "m2");
    log.invoke("a", { kind: "restore", ids: ["m1"] }).unknown();
    log.read("b", 3, "m2");
    log.read("b", 4, "m1");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may have a message of unknown outcome after a restore, though an earlier read did not show it", () => {
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

  test("may lack messages that a replace has removed", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }, { revision: 2 });
    log.append("b", 3, "m4");
    log.read("b", 3, "m2", "m3", "m4");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may or may not show the effect of a replace of unknown outcome", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.invoke("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }).unknown();
    log.read("b", 1, "m1", "m2");
    log.read("b", 2, "m2", "m3");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may show a message of unknown outcome that earlier partial reads did not show", () => {
    const log = new Log();
    log.invoke("b", { kind: "append", ids: ["m1"] }).unknown();
    log.append("a", 2, "m2");
    log.ok("c", { kind: "read", partial: true }, { revision: 2, ids: ["m2"] });
    log.read("c", 2, "m1", "m2");
    expect(checkHistory(log.events)).toEqual([]);
  });
});

describe("the checker finds", () => {
  test("a message that is there after a replace has removed it", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "insert", ids: ["m3"], removes: ["m1"] }, { revision: 2 });
    log.ok("b", { kind: "insert", ids: ["m4"] }, { revision: 3 });
    log.read("b", 3, "m2", "m3", "m4", "m1");
    expect(kinds(log)).toContain("resurrected");
  });

  test("messages of two replaces that change their order", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.ok("a", { kind: "insert", ids: ["m3"] }, { revision: 3 });
    log.read("a", 3, "m1", "m3", "m2");
    log.ok("b", { kind: "insert", ids: ["m4"] }, { revision: 4 });
    log.read("a", 4, "m1", "m2", "m4", "m3");
    expect(kinds(log)).toEqual(["order"]);
  });

  test("a message that is there after a restore without it", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.ok("a", { kind: "restore", ids: ["m1"] }, { revision: 3 });
    log.read("b", 3, "m1", "m2");
    expect(kinds(log)).toEqual(["resurrected"]);
  });

  test("a message that is absent after a restore with it", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.ok("a", { kind: "restore", ids: ["m1", "m2"] }, { revision: 3 });
    log.read("b", 3, "m2");
    expect(kinds(log)).toEqual(["lost"]);
  });

  test("a lost message that a restore of unknown outcome would have kept", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.invoke("b", { kind: "restore", ids: ["m1"] }).unknown();
    log.read("a", 2);
    expect(kinds(log)).toEqual(["lost"]);
  });
});
