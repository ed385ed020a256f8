import { describe, expect, test } from "vitest";
import { words } from "../../src/built-in-model/words.js";
import { eventsOf, model, said, stateAfter, textIn, turnWith } from "./conversation.js";

describe("the built-in model", () => {
  test("the built-in model says what it is", async () => {
    for (const question of ["hello", "help", "who are you?", "are you an AI?", "why is the sky blue?"])
      expect(await said(question)).toContain("a small built-in program, not a language model");
    expect(await said("help")).toContain("OPENAI_API_KEY");
  });

  test("the same conversation gets the same answer", async () => {
    const turn = turnWith(["hello", "Hello.", "tell me a long story"]);
    expect(await eventsOf(turn)).toEqual(await eventsOf(turn));
  });

  test("the built-in model streams word by word, without a gap", async () => {
    const events = await eventsOf(turnWith(["tell me a long story"]));
    expect(events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(500);
    const text = textIn(events);
    expect(text).toMatch(/^The keeper of the lighthouse .*\nNight 1\. .*\nNight 24\. .*knew everything\.$/s);
    expect(words(text).join("")).toBe(text);
    expect(words(" a\n\nb  ").join("")).toBe(" a\n\nb  ");
  });

  test("the built-in model reports usage", async () => {
    const [usage] = (await eventsOf(turnWith(["hello"]))).filter(({ type }) => type === "usage");
    expect(usage).toEqual({ type: "usage", usage: { inputTokens: 6, outputTokens: expect.any(Number) } });
  });

  test("the built-in model answers from the history", async () => {
    expect(await said("one", "…", "two", "…", "what did I say before?")).toContain(
      'you said "one", then "two".',
    );
    expect(await said("what did I say before?")).toContain("first thing you say");
    expect(await said("a", "…", "b", "…", "c", "…", "d", "…", "what have I said?")).toContain(
      "(and 1 more before those)",
    );
    expect(await said("one", "…", "blue")).toContain("message 3 of this conversation");
    expect(await said("one", "…", "hello")).toContain("Hello again");
  });

  test("an abort stops the built-in model at once", async () => {
    const stop = new AbortController();
    const events = model(60_000)(turnWith(["hello"], { signal: stop.signal }))[Symbol.asyncIterator]();
    const next = events.next();
    stop.abort();
    await expect(next).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("its tools", () => {
  test("an arithmetic question makes a tool call and a result under one id", async () => {
    const events = await eventsOf(turnWith(["what is 12 * (3 + 4)?"]));
    expect(events.slice(0, 2)).toEqual([
      {
        type: "tool-call",
        toolCallId: "t:call-1",
        toolName: "calculate",
        input: { expression: "12 * (3 + 4)" },
      },
      {
        type: "tool-result",
        toolCallId: "t:call-1",
        toolName: "calculate",
        output: { expression: "12 * (3 + 4)", value: "84" },
      },
    ]);
    expect(textIn(events)).toBe("12 * (3 + 4) = 84");
  });

  test("a tool error becomes a sentence of the answer", async () => {
    const events = await eventsOf(turnWith(["1 / 0"]));
    expect(events[1]).toMatchObject({ type: "tool-result", isError: true });
    expect(textIn(events)).toBe("Nothing can be divided by zero.");
  });

  test("a question for the time uses the clock", async () => {
    expect(await said("what time is it?")).toMatch(/^It is Friday,? 17 May 2024 at \d\d:30 \(.+\)\.$/);
  });

  test("notes are kept in the agent's state", async () => {
    const first = await eventsOf(turnWith(["remember that the lamp needs oil"]));
    expect(textIn(first)).toContain("Noted: the lamp needs oil");
    const state = stateAfter({}, first);
    const second = await eventsOf(turnWith(["note: buy rope"], { state, turnId: "t2" }));
    const both = stateAfter(state, second);
    expect(textIn(await eventsOf(turnWith(["show my notes"], { state: both })))).toBe(
      "Your notes:\n  1. the lamp needs oil\n  2. buy rope",
    );
    const third = await eventsOf(turnWith(["forget note 1"], { state: both, turnId: "t3" }));
    const left = stateAfter(both, third);
    expect(textIn(await eventsOf(turnWith(["notes"], { state: left })))).toBe("Your notes:\n  2. buy rope");
    expect(await said("forget note 9")).toBe("There is no note 9.");
  });

  test("the built-in model uses only the tools that the config allows", async () => {
    const events = await eventsOf(turnWith(["1 + 1"], { config: { tools: ["clock"] } }));
    expect(textIn(events)).toBe("I may not use calculate here.");
  });
});
