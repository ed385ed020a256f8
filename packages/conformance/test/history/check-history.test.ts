import { describe, expect, test } from "vitest";
import { checkHistory } from "../../src/history/check-history.js";
import { kinds, Log } from "./log.js";

describe("a log that keeps the contract", () => {
  test("has no violation", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    const slow = log.invoke("b", { kind: "append", ids: ["m2"] });
    log.append("a", 2, "m3");
    log.read("c", 2, "m1", "m3");
    slow.ok({ revision: 3 });
    log.read("c", 3, "m1", "m3", "m2");
    log.ok("a", { kind: "remove", ids: ["m3"] }, { revision: 4 });
    log.ok("a", { kind: "touch" }, { revision: 5 });
    log.read("c", 5, "m1", "m2");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may show a message of unknown outcome once or not at all", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.invoke("b", { kind: "append", ids: ["m2"] }).unknown();
    log.invoke("c", { kind: "append", ids: ["m3"] }); // the process died
    log.read("a", 1, "m1");
    log.read("a", 2, "m1", "m3");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may show a message of an append that has not been acknowledged yet", () => {
    const log = new Log();
    const pending = log.invoke("a", { kind: "append", ids: ["m1"] });
    log.read("b", 1, "m1");
    pending.ok({ revision: 1 });
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may have messages of a replace before concurrently appended ones", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.ok("a", { kind: "insert", ids: ["m3"] }, { revision: 3 });
    log.append("b", 4, "m4");
    log.read("a", 2, "m1", "m2");
    expect(kinds(log)).toEqual(["stale-read"]); // revision 4 had been returned
    log.read("a", 4, "m1", "m3", "m2", "m4");
    expect(kinds(log)).toEqual(["stale-read"]);
  });

  test("may not show deleted messages, and must not show them again", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.ok("b", { kind: "remove", ids: "all" }, {});
    log.ok("a", { kind: "read" }, { ids: [] });
    log.append("a", 3, "m2");
    log.read("a", 3, "m2");
    expect(checkHistory(log.events)).toEqual([]);
    log.read("b", 3, "m1", "m2");
    expect(kinds(log)).toEqual(["resurrected"]);
  });

  test("may return the first revision for a repeat", () => {
    const log = new Log();
    log.ok("a", { kind: "append", ids: ["m1"], commitId: "c" }, { revision: 1 });
    log.append("b", 2, "m2");
    log.ok("a", { kind: "append", ids: ["m1"], commitId: "c" }, { revision: 1, duplicate: true });
    log.read("a", 2, "m1", "m2");
    expect(checkHistory(log.events)).toEqual([]);
  });

  test("may have a turn that begins after another has ended or expired", () => {
    const log = new Log();
    log.begin("a", "t1", "1.x");
    log.ok("a", { kind: "end-turn", fence: "1.x", completes: true, ids: ["m1"] }, { revision: 2 });
    log.begin("b", "t2", "3.y");
    log.pass(1001);
    log.begin("a", "t3", "4.z");
    log.invoke("b", { kind: "append", ids: ["m2"], fence: "3.y" }).fail("TURN_LOST");
    log.read("a", 4, "m1");
    expect(checkHistory(log.events)).toEqual([]);
  });
});

describe("the checker finds", () => {
  test("an acknowledged message that is absent", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("a", 2, "m2");
    log.read("b", 2, "m2");
    expect(kinds(log)).toEqual(["lost"]);
  });

  test("an acknowledged message whose session is absent", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.ok("b", { kind: "read" }, { ids: [] });
    expect(kinds(log)).toEqual(["lost"]);
  });

  test("a message of a killed writer that was acknowledged by its repeat and then lost", () => {
    const log = new Log();
    log.invoke("a", { kind: "append", ids: ["m1"], commitId: "c" }).unknown();
    log.ok("b", { kind: "append", ids: ["m1"], commitId: "c" }, { revision: 1, duplicate: true });
    log.read("b", 1);
    expect(kinds(log)).toEqual(["lost"]);
  });

  test("a message that is there twice", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.read("b", 1, "m1", "m1");
    expect(kinds(log)).toContain("doubled");
  });

  test("a commit id that was applied twice", () => {
    const log = new Log();
    log.ok("a", { kind: "touch", commitId: "c" }, { revision: 1 });
    log.ok("b", { kind: "touch", commitId: "c" }, { revision: 2 });
    expect(kinds(log)).toEqual(["doubled"]);
  });

  test("a message that nobody sent", () => {
    const log = new Log();
    log.read("b", 1, "m1");
    expect(kinds(log)).toEqual(["invented"]);
  });

  test("a message that was read before it was sent", () => {
    const log = new Log();
    log.read("b", 1, "m1");
    log.append("a", 2, "m1");
    expect(kinds(log)).toContain("invented");
  });

  test("a message that was refused", () => {
    const log = new Log();
    log.invoke("a", { kind: "append", ids: ["m1"] }).fail("TURN_LOST");
    log.read("b", 1, "m1");
    expect(kinds(log)).toEqual(["invented"]);
  });

  test("a message that is there after its removal", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.ok("a", { kind: "remove", ids: ["m1"] }, { revision: 2 });
    log.read("b", 2, "m1");
    expect(kinds(log)).toEqual(["resurrected"]);
  });

  test("a removal that removed more messages than it named", () => {
    const log = new Log();
    log.append("a", 1, "m1", "m2");
    log.invoke("a", { kind: "remove", ids: ["m1"] }).unknown();
    log.read("b", 2);
    expect(checkHistory(log.events)).toMatchObject([{ kind: "lost", detail: expect.stringContaining("m2") }]);
  });

  test("two reads with different orders", () => {
    const log = new Log();
    const first = log.invoke("a", { kind: "append", ids: ["m1"] });
    const second = log.invoke("b", { kind: "append", ids: ["m2"] });
    log.read("c", 2, "m1", "m2");
    log.read("d", 2, "m2", "m1");
    first.unknown();
    second.unknown();
    expect(kinds(log)).toEqual(["order"]);
  });

  test("an order that contradicts the revisions", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("b", 2, "m2");
    log.read("c", 2, "m2", "m1");
    expect(kinds(log)).toEqual(["order"]);
  });

  test("a message of unknown outcome that appears before messages of an earlier read", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.invoke("b", { kind: "append", ids: ["m2"] }).unknown();
    log.read("c", 1, "m1");
    log.read("c", 2, "m2", "m1");
    expect(kinds(log)).toEqual(["order"]);
  });

  test("a read that does not show an acknowledged commit", () => {
    const log = new Log();
    log.append("a", 1, "m1");
    log.append("a", 2, "m2");
    log.read("b", 1, "m1");
    expect(kinds(log)).toEqual(["stale-read"]);
  });

  test("a read that does not show what an earlier read has shown", () => {
    const log = new Log();
    const pending = log.invoke("a", { kind: "append", ids: ["m1"] });
    log.read("b", 1, "m1");
    log.read("c", 0);
    pending.ok({ revision: 1 });
    expect(kinds(log)).toEqual(["stale-read"]);
  });

  test("two commits with one revision", () => {
    const log = new Log();
    const first = log.invoke("a", { kind: "append", ids: ["m1"] });
    log.append("b", 1, "m2");
    first.ok({ revision: 1 });
    expect(kinds(log)).toEqual(["revision"]);
  });

  test("a revision that went back", () => {
    const log = new Log();
    log.append("a", 5, "m1");
    log.append("b", 4, "m2");
    expect(kinds(log)).toEqual(["revision"]);
  });

  test("a message in a read of a revision before its own", () => {
    const log = new Log();
    const pending = log.invoke("a", { kind: "append", ids: ["m1"] });
    log.read("b", 1, "m1");
    pending.ok({ revision: 2 });
    expect(kinds(log)).toEqual(["revision"]);
  });

  test("a turn that began while another one ran", () => {
    const log = new Log();
    log.begin("a", "t1", "1.x");
    log.begin("b", "t2", "2.y");
    expect(kinds(log)).toEqual(["two-turns"]);
  });

  test("a turn of a killed holder that was taken over before its lease ended", () => {
    const log = new Log();
    log.begin("a", "t1", "1.x");
    log.pass(500);
    log.begin("b", "t2", "2.y");
    log.pass(2000);
    log.invoke("a", { kind: "end-turn", fence: "1.x", completes: true }).fail("TURN_LOST");
    expect(kinds(log)).toEqual(["two-turns"]);
  });

  test("a late write of a turn that was taken over", () => {
    const log = new Log();
    log.begin("a", "t1", "1.x");
    log.pass(1001);
    log.begin("b", "t2", "2.y");
    log.ok("a", { kind: "append", ids: ["m1"], fence: "1.x" }, { revision: 3 });
    expect(kinds(log)).toEqual(["fence"]);
  });

  test("a turn that was completed twice", () => {
    const log = new Log();
    log.begin("a", "t1", "1.x");
    log.ok("a", { kind: "end-turn", fence: "1.x", completes: true }, { revision: 2 });
    log.begin("b", "t1", "3.y");
    log.ok("b", { kind: "end-turn", fence: "3.y", completes: true }, { revision: 4 });
    expect(kinds(log)).toEqual(["doubled"]);
  });

  test("an answer without a call", () => {
    expect(checkHistory([{ type: "unknown", process: "a", call: 1, at: 1 }])).toMatchObject([
      { kind: "malformed" },
    ]);
  });
});

test("sessions are checked separately", () => {
  const log = new Log();
  log.ok("a", { kind: "append", ids: ["m1"] }, { revision: 1 }, "s1");
  log.ok("a", { kind: "append", ids: ["m2"] }, { revision: 1 }, "s2");
  log.ok("a", { kind: "read" }, { revision: 1, ids: ["m1"] }, "s1");
  expect(checkHistory(log.events)).toEqual([]);
});

test("a partial read need not show all messages", () => {
  const log = new Log();
  log.append("a", 1, "m1");
  log.append("a", 2, "m2");
  log.ok("b", { kind: "read", partial: true }, { revision: 2, ids: ["m2"] });
  expect(checkHistory(log.events)).toEqual([]);
});

test("a log of a hundred thousand calls can be checked", () => {
  const log = new Log();
  const ids = Array.from({ length: 50_000 }, (_, index) => `m${index}`);
  ids.forEach((id, index) => {
    log.append("a", index + 1, id);
    log.ok("b", { kind: "read", partial: true }, { revision: index + 1, ids: [id] });
  });
  log.read("c", 50_000, ...ids);
  expect(checkHistory(log.events)).toEqual([]);
});
