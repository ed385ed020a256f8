import { describe, expect, test } from "vitest";
import type { StoredMessage } from "../../src/turns/turn-line.js";
import type { Mode } from "../../src/turns/update.js";
import { answer, answerTo, prompt, TurnLog, told, update } from "./turn-log.js";

const ANSWERED = told("answered", answerTo(1));

/** A log in which update 1 was answered, and then delivered a last time. */
function answered(mode: Mode = "queue"): TurnLog {
  const log = new TurnLog().event("spent", 1);
  return log.call(update(1, mode), ANSWERED).again(update(1, mode), ANSWERED);
}

function without(mark: StoredMessage): StoredMessage {
  const { mark: _mark, ...unmarked } = mark;
  return unmarked;
}

test("an update that was answered once, and stored, is sound", () => {
  expect(
    answered()
      .stores([prompt(1), answer(1)])
      .kinds(),
  ).toEqual([]);
});

describe("a reply", () => {
  test("must be stored", () => {
    const kept = answer(1, { text: answerTo(1).replace("w1", "w2") });
    expect(
      answered()
        .stores([prompt(1), kept])
        .kinds(),
    ).toEqual(["lost", "lost"]); // by both callers
  });

  test("may be gone where a reset came that destroys", () => {
    const destroys = { account: "destroys" } as const;
    const log = new TurnLog().event("spent", 1).call(update(1, "queue", destroys), ANSWERED);
    log.again(update(1, "queue", destroys), told("answered"));
    expect(log.kinds()).toEqual(["lost"]);
    const reset = update(2, "queue", { ...destroys, isReset: true });
    log.call(reset, told("reset", "new")).again(reset, told("reset", "new"));
    const command = prompt(2, { mark: { outcome: "reset", turnId: "t2", replyIds: [] } });
    expect(log.stores([command]).kinds()).toEqual([]);
  });

  test("must be the same for all callers, and marked as a duplicate for those who come later", () => {
    const other = told("answered", answerTo(1).replace("w1", "w2"), { duplicate: true });
    const twice = answered()
      .call(update(1), other)
      .stores([prompt(1), answer(1)]);
    expect(twice.kinds()).toEqual(["doubled", "lost"]);
    const unmarked = answered()
      .call(update(1), ANSWERED)
      .stores([prompt(1), answer(1)]);
    expect(unmarked.kinds()).toEqual(["doubled"]);
  });

  test("must have an outcome of its mode, and only one", () => {
    const log = answered().call(update(1), told("interrupted", answerTo(1), { duplicate: true }));
    expect(log.stores([prompt(1), answer(1)]).kinds()).toEqual(["outcome", "outcome", "outcome"]);
  });
});

describe("a prompt", () => {
  test("must not be live twice, or answered twice", () => {
    const again = without(prompt(1, { id: "t1~2" }));
    expect(
      answered()
        .stores([prompt(1), answer(1), again])
        .kinds(),
    ).toContain("doubled");
    const archived = without(prompt(1, { isLive: false }));
    const marked = prompt(1, { id: "t1~2" });
    expect(
      answered()
        .stores([archived, marked, answer(1)])
        .kinds(),
    ).toEqual([]);
    const both = [prompt(1, { isLive: false }), marked, answer(1)];
    expect(answered().stores(both).kinds()).toContain("doubled");
  });

  test("must say what its callers were told", () => {
    const superseded = prompt(1, { mark: { outcome: "superseded", turnId: "t1", replyIds: [] } });
    expect(
      answered()
        .stores([superseded, answer(1)])
        .kinds(),
    ).toContain("lost");
  });

  test("must have one whole answer", () => {
    const log = answered().event("spent", 1);
    const second = answer(1, { id: "b1", text: answerTo(1).replace("w1", "w2") });
    expect(log.stores([prompt(1), answer(1), second]).kinds()).toEqual(["doubled"]);
  });
});

describe("an answer", () => {
  test("must stand behind its own prompt, and belong to its turn", () => {
    expect(
      answered()
        .stores([answer(1), prompt(1)])
        .kinds(),
    ).toContain("mixed");
    expect(
      answered()
        .stores([prompt(1), answer(1, { turnId: "t2" })])
        .kinds(),
    ).toContain("mixed");
  });

  test("of an agent must follow its prompt at once", () => {
    const log = answered("agent")
      .call(update(2, "agent"), told("answered", answerTo(2)))
      .event("spent", 2);
    log.again(update(2, "agent"), told("answered", answerTo(2)));
    const [first, second] = [without(prompt(1)), without(prompt(2))];
    expect(log.stores([first, second, answer(1), answer(2)]).kinds()).toContain("mixed");
  });

  test("of a merged turn must have seen every prompt that it covers", () => {
    const merged = prompt(2, { mark: { outcome: "answered", turnId: "t1", replyIds: ["a1"] } });
    const log = (sees: readonly number[]): TurnLog => {
      const first = told("answered", answerTo(1, sees));
      return new TurnLog()
        .event("spent", 1)
        .call(update(1, "merge"), first)
        .call(update(2, "merge"), told("merged"))
        .again(update(1, "merge"), first)
        .again(update(2, "merge"), told("merged"))
        .stores([prompt(1), merged, answer(1, { text: answerTo(1, sees) })]);
    };
    expect(log([1, 2]).kinds()).toEqual([]);
    expect(log([1]).kinds()).toEqual(["mixed"]);
  });

  test("must not cover what another answer has covered, also where a reset has destroyed it", () => {
    const destroys = { account: "destroys" } as const;
    const reset = update(9, "merge", { ...destroys, isReset: true });
    const log = new TurnLog().event("spent", 1).event("spent", 2);
    log.call(update(1, "merge", destroys), ANSWERED).call(reset, told("reset"));
    const second = told("answered", answerTo(2, [1, 2]));
    log.call(update(2, "merge", destroys), second).again(update(1, "merge", destroys), ANSWERED);
    log.again(update(2, "merge", destroys), second).again(reset, told("reset"));
    const command = prompt(9, { isLive: false, mark: { outcome: "reset", turnId: "t9", replyIds: [] } });
    const text = answerTo(2, [1, 2]);
    expect(log.stores([command, prompt(2), answer(2, { text })]).kinds()).toEqual(["doubled"]);
  });
});

test("a conversation must not hold messages of two accounts", () => {
  const other = update(2, "queue", { group: "other" });
  const log = answered()
    .event("spent", 2)
    .call(other, told("answered", answerTo(2)));
  log.again(other, told("answered", answerTo(2)));
  expect(log.stores([prompt(1), answer(1), prompt(2), answer(2)]).kinds()).toContain("mixed");
});

describe("counters", () => {
  const stored = [prompt(1), answer(1)];
  const kinds = (turns: number, inputTokens: number, outputTokens: number): readonly string[] =>
    answered().stores(stored, { counters: { turns, inputTokens, outputTokens } }).kinds();

  test("must agree with the answers", () => {
    expect(kinds(1, 3, 2)).toEqual([]);
    expect(kinds(2, 6, 4)).toEqual(["usage", "usage", "usage"]);
    expect(kinds(0, 0, 0)).toEqual(["usage"]);
    expect(kinds(1, 0, 2)).toEqual(["usage"]);
  });

  test("may have what a turn used that was cut off", () => {
    const log = answered().event("spent", 1);
    const counters = { turns: 1, inputTokens: 6, outputTokens: 4 };
    expect(log.stores(stored, { counters }).kinds()).toEqual([]);
  });
});

describe("in the end", () => {
  test("every update must be settled by its last delivery", () => {
    const log = new TurnLog().call(update(1), "TURN_BUSY").call(update(1), "TURN_BUSY", { by: "audit" });
    expect(log.kinds()).toEqual(["unsettled"]);
  });

  test("no turn may run, and no live prompt may wait", () => {
    const stored = [prompt(1), answer(1)];
    expect(answered().stores(stored, { running: "t1" }).kinds()).toEqual(["unsettled"]);
    expect(
      answered()
        .stores([...stored, without(prompt(2))])
        .kinds(),
    ).toContain("unsettled");
  });

  test("every conversation must be sound", () => {
    const stored = [prompt(1), answer(1)];
    expect(
      answered()
        .stores(stored, { harm: ["a flipped byte"] })
        .kinds(),
    ).toEqual(["verification"]);
  });
});

describe("an update that was not answered", () => {
  const cut = (outcome: string): StoredMessage =>
    prompt(1, { mark: { outcome, turnId: "t1", replyIds: [] } });
  const stopped = told("interrupted");
  const superseded = told("superseded");

  test("must have been interrupted by one that came meanwhile and was not settled yet", () => {
    const [older, newer] = [update(1, "interrupt"), update(2, "interrupt")];
    const second = told("answered", answerTo(2));
    const stored = [cut("interrupted"), prompt(2), answer(2)];
    const ended = (log: TurnLog): readonly string[] =>
      log.again(newer, second).again(older, stopped).event("spent", 2).stores(stored).kinds();
    const start = (): TurnLog => new TurnLog().call(older, "STORE_BUSY");
    expect(ended(start().call(newer, "TURN_BUSY").call(older, stopped))).toEqual([]);
    expect(ended(start().call(older, stopped))).toEqual(["outcome"]);
    // One that came and went before the other was there has not stopped it.
    expect(ended(new TurnLog().call(newer, second).call(older, stopped))).toEqual(["outcome"]);
    expect(ended(new TurnLog().call(newer).call(older, stopped))).toEqual([]); // killed: it may have been there
  });

  test("must have been superseded while a turn ran", () => {
    const merging = update(1, "merge");
    const ended = (log: TurnLog): readonly string[] =>
      log
        .call(merging, superseded)
        .again(merging, superseded)
        .stores([cut("superseded")])
        .kinds();
    expect(ended(new TurnLog().call(merging, "STORE_BUSY"))).toEqual(["outcome"]);
    expect(ended(new TurnLog().call(merging, "STORE_BUSY", { during: "begun" }))).toEqual([]);
    expect(ended(new TurnLog().call(merging))).toEqual([]); // killed: it may have begun
  });
});
