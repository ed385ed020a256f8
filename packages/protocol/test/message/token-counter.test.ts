import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { estimateTokens } from "../../src/message/text/token-counter.js";
import { holds } from "./assert-property.js";
import { anyInput, message } from "./conversations.js";

const of = (content: string) => estimateTokens(message("1", "user", { content }));

describe("estimateTokens", () => {
  it("counts four characters of English as a token, and four tokens for the message", () => {
    expect(of("")).toBe(4);
    expect(of("abcd".repeat(25))).toBe(4 + 25);
    expect(of("abcde")).toBe(4 + 2);
  });

  it("counts about one token for each Chinese, Japanese or Korean character", () => {
    expect(of("今日は天気がいい")).toBe(4 + 8);
    expect(of("안녕하세요")).toBe(4 + 5);
  });

  it("counts other alphabets in between", () => {
    expect(of("привет")).toBe(4 + 3);
  });

  it("counts the same text the same, in content, parts and items", () => {
    const text = "What is the weather in Ghent?";
    const parts = [{ type: "text", text }];
    expect(estimateTokens(message("1", "user", { content: parts }))).toBe(of(text));
    expect(estimateTokens(message("1", "user", { parts }))).toBe(of(text));
  });

  it("counts the input and the output of a tool", () => {
    const long = "word ".repeat(400);
    const bodies: { [field: string]: Json }[] = [
      { content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { query: long } }] },
      { content: [{ type: "tool_result", tool_use_id: "c", content: long }] },
      { tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: long } }] },
      { item: { type: "function_call_result", callId: "c", output: { type: "text", text: long } } },
      { type: "function_call_output", call_id: "c", output: long },
    ];
    for (const body of bodies) {
      const tokens = estimateTokens({ id: "1", role: "tool", createdAt: 1, ...body });
      expect(tokens).toBeGreaterThanOrEqual(4 + 500);
      expect(tokens).toBeLessThan(4 + 550);
    }
  });

  it("does not count fields that are never sent to a model", () => {
    const extra = { metadata: { note: "x".repeat(999) }, senderName: "x".repeat(999) };
    const content = [{ type: "text", text: "Hi", providerOptions: { x: "y".repeat(999) } }];
    expect(estimateTokens(message("1", "user", { content, ...extra }))).toBe(of("Hi"));
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} };
    const kept = { ...call, providerOptions: { x: "y".repeat(999) } };
    expect(estimateTokens(message("1", "assistant", { content: [kept] }))).toBe(
      estimateTokens(message("1", "assistant", { content: [call] })),
    );
  });

  it("counts a picture as a picture, not as its bytes", () => {
    const image = `data:image/png;base64,${"iVBORw0KGgo".repeat(50_000)}`;
    const tokens = estimateTokens(message("1", "user", { content: [{ type: "image", image }] }));
    expect(tokens).toBeGreaterThan(500);
    expect(tokens).toBeLessThan(1100);
  });

  it("counts a long text in full", () => {
    expect(of("word ".repeat(4000))).toBe(4 + 5000);
  });

  it("does not overflow the stack for deeply nested JSON", () => {
    let deep: Json = "end";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(estimateTokens(message("1", "tool", { item: deep }))).toBe(4 + 1);
  });

  it("returns an integer of at least four, for any JSON", () => {
    holds(
      fc.property(anyInput(), (given) => {
        const tokens = estimateTokens(JSON.parse(JSON.stringify({ ...given, id: "1", createdAt: 1 })));
        expect(Number.isInteger(tokens) && tokens >= 4).toBe(true);
      }),
    );
  });
});
