import { describe, expect, test } from "vitest";
import { FINAL_READ } from "../../src/log/final-read-name.js";
import type { StoredMessage } from "../../src/turns/turn-line.js";
import type { Mode } from "../../src/turns/update.js";
import { answer, answerTo, prompt, result, TurnLog, update } from "./turn-log.js";

const ANSWERED = result("answered", answerTo(1));

/** A log in which update 1 was answered, and then delivered a last time. */
function answered(mode: Mode = "queue"): TurnLog {
  const log = new TurnLog().event("spent", 1);
  return log.call(update(1, mode), ANSWERED).again(update(1, mode), ANSWERED);
}

function without(mark: StoredMessage): StoredMessage {
  const { mark: _mark, ...unmarked } = mark;
  return unmarked;
}

test("an update that was answered once and stored is sound", () => {
  expect(
    answered()
      .stores([prompt(1), answer(1)])
      .kinds(),
  ).toEqual([]);
});

describe("a reply", () => {
  test("a reply must be stored", () => {
    const kept = answer(1, { text: answerTo(1).replace("w1", "w2") });
    expect(
      answered()
        .stores([prompt(1), kept])
        .kinds(),
    ).toEqual(["lost", "lost"]); // for both deliveries
  });

  test("a reply may be gone after a reset that destroys", () => {
    const destroys = { account: "destroys" } as const;
    const log = new TurnLog().event("spent", 1).call(update(1, "queue", destroys), ANSWERED);
    log.again(update(1, "queue", destroys), result("answered"));
    expect(log.kinds()).toEqual(["lost"]);
    const reset = update(2, "queue", { ...destroys, isReset: true });
    log.call(reset, result("reset", "new")).again(reset, result("reset", "new"));
    const command = prompt(2, { mark: { outcome: "reset", turnId: "t2", replyIds: [] } });
    expect(log.stores([command]).kinds()).toEqual([]);
  });

  test("all deliveries of an update must return the same reply, and later ones as a duplicate", () => {
    const other = result("answered", answerTo(1).replace("w1", "w2"), { duplicate: true });
    const twice = answered()
      .call(update(1), other)
      .stores([prompt(1), answer(1)]);
    expect(twice.kinds()).toEqual(["doubled", "lost"]);
    const unmarked = answered()
      .call(update(1), ANSWERED)
      .stores([prompt(1), answer(1)]);
    expect(unmarked.kinds()).toEqual(["doubled"]);
  });

  test("an update must have exactly one outcome, and one that its mode allows", () => {
    const log = answered().call(update(1), result("interrupted", answerTo(1), { duplicate: true }));
    expect(log.stores([prompt(1), answer(1)]).kinds()).toEqual(["outcome", "outcome", "outcome"]);
  });
});

describe("a prompt", () => {
  test("a prompt must not be live twice or answered twice", () => {
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

  test("a prompt must have the outcome that callers got", () => {
    const superseded = prompt(1, { mark: { outcome: "superseded", turnId: "t1", replyIds: [] } });
    expect(
      answered()
        .stores([superseded, answer(1)])
        .kinds(),
    ).toContain("lost");
  });

  test("a prompt must have only one complete answer", () => {
    const log = answered().event("spent", 1);
    const second = answer(1, { id: "b1", text: answerTo(1).replace("w1", "w2") });
    expect(log.stores([prompt(1), answer(1), second]).kinds()).toEqual(["doubled"]);
  });
});

describe("an answer", () => {
  test("an answer must follow its prompt and belong to its turn", () => {
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

  test("no message of another turn may stand between the prompt of an agent and its answer", () => {
    const log = answered("agent")
      .call(update(2, "agent"), result("answered", answerTo(2)))
      .event("spent", 2);
    log.again(update(2, "agent"), result("answered", answerTo(2)));
    const [first, second] = [without(prompt(1)), without(prompt(2))];
    expect(log.stores([first, second, answer(1), answer(2)]).kinds()).toContain("mixed");
  });

  test("the model must have seen every prompt that the answer of a merged turn covers", () => {
    const merged = prompt(2, { mark: { outcome: "answered", turnId: "t1", replyIds: ["a1"] } });
    const log = (sees: readonly number[]): TurnLog => {
      const first = result("answered", answerTo(1, sees));
      return new TurnLog()
        .event("spent", 1)
        .call(update(1, "merge"), first)
        .call(update(2, "merge"), result("merged"))
        .again(update(1, "merge"), first)
        .again(update(2, "merge"), result("merged"))
        .stores([prompt(1), merged, answer(1, { text: answerTo(1, sees) })]);
    };
    expect(log([1, 2]).kinds()).toEqual([]);
    expect(log([1]).kinds()).toEqual(["mixed"]);
  });

  test("two answers must not cover the same update, even if a reset has destroyed one of them", () => {
    const destroys = { account: "destroys" } as const;
    const reset = update(9, "merge", { ...destroys, isReset: true });
    const log = new TurnLog().event("spent", 1).event("spent", 2);
    log.call(update(1, "merge", destroys), ANSWERED).call(reset, result("reset"));
    const second = result("answered", answerTo(2, [1, 2]));
    log.call(update(2, "merge", destroys), second).again(update(1, "merge", destroys), ANSWERED);
    log.again(update(2, "merge", destroys), second).again(reset, result("reset"));
    const command = prompt(9, { isLive: false, mark: { outcome: "reset", turnId: "t9", replyIds: [] } });
    const text = answerTo(2, [1, 2]);
    expect(log.stores([command, prompt(2), answer(2, { text })]).kinds()).toEqual(["doubled"]);
  });
});

test("a conversation must not have messages of two accounts", () => {
  const other = update(2, "queue", { group: "other" });
  const log = answered()
    .event("spent", 2)
    .call(other, result("answered", answerTo(2)));
  log.again(other, result("answered", answerTo(2)));
  expect(log.stores([prompt(1), answer(1), prompt(2), answer(2)]).kinds()).toContain("mixed");
});

describe("counters", () => {
  const stored = [prompt(1), answer(1)];
  const kinds = (turns: number, inputTokens: number, outputTokens: number): readonly string[] =>
    answered().stores(stored, { counters: { turns, inputTokens, outputTokens } }).kinds();

  test("counters must match the answers", () => {
    expect(kinds(1, 3, 2)).toEqual([]);
    expect(kinds(2, 6, 4)).toEqual(["usage", "usage", "usage"]);
    expect(kinds(0, 0, 0)).toEqual(["usage"]);
    expect(kinds(1, 0, 2)).toEqual(["usage"]);
  });

  test("counters may include the usage of a turn that was cut off", () => {
    const log = answered().event("spent", 1);
    const counters = { turns: 1, inputTokens: 6, outputTokens: 4 };
    expect(log.stores(stored, { counters }).kinds()).toEqual([]);
  });
});

describe("after the run", () => {
  test("the last delivery must settle every update", () => {
    const log = new TurnLog().call(update(1), "TURN_BUSY").call(update(1), "TURN_BUSY", { by: FINAL_READ });
    expect(log.kinds()).toEqual(["unsettled"]);
  });

  test("no turn may run and no live prompt may be unsettled after the run", () => {
    const stored = [prompt(1), answer(1)];
    expect(answered().stores(stored, { running: "t1" }).kinds()).toEqual(["unsettled"]);
    expect(
      answered()
        .stores([...stored, without(prompt(2))])
        .kinds(),
    ).toContain("unsettled");
  });

  test("every conversation must pass `verify`", () => {
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
  const stopped = result("interrupted");
  const superseded = result("superseded");

  test("an interrupted update needs another that came during its turn and was not settled yet", () => {
    const [older, newer] = [update(1, "interrupt"), update(2, "interrupt")];
    const second = result("answered", answerTo(2));
    const stored = [cut("interrupted"), prompt(2), answer(2)];
    const ended = (log: TurnLog): readonly string[] =>
      log.again(newer, second).again(older, stopped).event("spent", 2).stores(stored).kinds();
    const start = (): TurnLog => new TurnLog().call(older, "STORE_BUSY");
    expect(ended(start().call(newer, "TURN_BUSY").call(older, stopped))).toEqual([]);
    expect(ended(start().call(older, stopped))).toEqual(["outcome"]);
    // A newer update that was settled before the older one came has not interrupted it.
    expect(ended(new TurnLog().call(newer, second).call(older, stopped))).toEqual(["outcome"]);
    expect(ended(new TurnLog().call(newer).call(older, stopped))).toEqual([]); // killed: its end is unknown
  });

  test("a superseded update needs a turn that had begun", () => {
    const merging = update(1, "merge");
    const ended = (log: TurnLog): readonly string[] =>
      log
        .call(merging, superseded)
        .again(merging, superseded)
        .stores([cut("superseded")])
        .kinds();
    expect(ended(new TurnLog().call(merging, "STORE_BUSY"))).toEqual(["outcome"]);
    expect(ended(new TurnLog().call(merging, "STORE_BUSY", { during: "begun" }))).toEqual([]);
    expect(ended(new TurnLog().call(merging))).toEqual([]); // killed: its turn may have begun
  });
});
