import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/message/message.js";
import { estimateTokens } from "../../src/message/text/token-counter.js";
import { archiveBoundary } from "../../src/message/windows/archive-boundary.js";
import { holds } from "./assert-property.js";
import { anyConversation, conversationOf, costById, pairsIn, type Step } from "./conversations.js";

const user: Step = { role: "user", shape: 0 };
const call: Step = { role: "assistant", calls: ["a"], shape: 0 };
const result: Step = { role: "tool", results: ["a"], shape: 0 };
const thought: Step = { role: "assistant", reasoning: true, shape: 0 };
const idle = { turnRunning: false };
const running = { turnRunning: true };
const of = (...steps: readonly Step[]) => conversationOf(steps).messages;

function withPartial(messages: readonly Message[], at: number): readonly Message[] {
  return messages.map((given, index) => (index === at ? { ...given, status: "partial" as const } : given));
}

const anyBounds = fc.record(
  { keepRecent: fc.nat(10), keepTokens: fc.nat(60), turnRunning: fc.boolean() },
  { requiredKeys: ["turnRunning"] },
);

describe("archiveBoundary", () => {
  it("archives everything if nothing must stay", () => {
    expect(archiveBoundary(of(user, call, result), idle)).toBe(3);
    expect(archiveBoundary([], idle)).toBe(0);
  });

  it("keeps the newest messages", () => {
    expect(archiveBoundary(of(user, user, user), { ...idle, keepRecent: 1 })).toBe(2);
    expect(archiveBoundary(of(user, user, user), { ...idle, keepRecent: 9 })).toBe(0);
  });

  it("keeps more messages instead of splitting a pair", () => {
    expect(archiveBoundary(of(user, call, result, user), { ...idle, keepRecent: 2 })).toBe(1);
  });

  it("keeps the newest messages that fit into keepTokens", () => {
    const bounds = { ...idle, countTokens: () => 10 };
    expect(archiveBoundary(of(user, user, user, user), { ...bounds, keepTokens: 20 })).toBe(2);
    expect(archiveBoundary(of(user, user, user, user), { ...bounds, keepTokens: 21 })).toBe(1);
    expect(archiveBoundary(of(user, user, user, user), { ...bounds, keepTokens: 99 })).toBe(0);
  });

  it("estimates tokens without a countTokens function", () => {
    const messages = of(user, user);
    const keepTokens = messages.slice(1).reduce((sum, given) => sum + estimateTokens(given), 0);
    expect(archiveBoundary(messages, { ...idle, keepTokens })).toBe(1);
    expect(archiveBoundary(messages, { ...idle, keepTokens: keepTokens + 1 })).toBe(0);
  });

  it("applies keepRecent and keepTokens together", () => {
    const bounds = { ...idle, countTokens: () => 10 };
    expect(archiveBoundary(of(user, user, user), { ...bounds, keepTokens: 10, keepRecent: 2 })).toBe(1);
    expect(archiveBoundary(of(user, user, user), { ...bounds, keepTokens: 20, keepRecent: 1 })).toBe(1);
  });

  it("keeps everything if countTokens returns NaN", () => {
    expect(archiveBoundary(of(user, user), { ...idle, keepTokens: 1, countTokens: () => NaN })).toBe(0);
  });

  it("never reaches a message that is still being written", () => {
    expect(archiveBoundary(withPartial(of(user, user, user), 1), idle)).toBe(1);
    expect(archiveBoundary(withPartial(of(user, call, user, result), 2), idle)).toBe(1);
  });

  it("archives an interrupted message like any other", () => {
    const messages = of(user).map((given) => ({ ...given, status: "interrupted" as const }));
    expect(archiveBoundary(messages, idle)).toBe(1);
  });

  it("stops at an unanswered call while a turn runs, and only then", () => {
    expect(archiveBoundary(of(user, call, user), running)).toBe(1);
    expect(archiveBoundary(of(user, call, user), idle)).toBe(3);
    expect(archiveBoundary(of(user, call, result), running)).toBe(3);
  });

  it("stops at an unanswered call of several in one message", () => {
    const both: Step = { role: "assistant", calls: ["a", "b"], shape: 0 };
    expect(archiveBoundary(of(user, both, result, user), running)).toBe(1);
  });

  it("stops at an undecided approval while a turn runs", () => {
    const asked: Step = { role: "assistant", asked: ["x"], shape: 0 };
    expect(archiveBoundary(of(user, asked), running)).toBe(1);
    expect(archiveBoundary(of(user, asked), idle)).toBe(2);
  });

  it("stops at a reasoning item whose answer has yet to come", () => {
    expect(archiveBoundary(of(user, thought, thought), running)).toBe(1);
    expect(archiveBoundary(of(user, thought, user), running)).toBe(3);
  });

  it("never splits a pair, never keeps less than asked", () => {
    holds(
      fc.property(anyConversation(), anyBounds, fc.nat(30), ({ steps, messages }, bounds, partial) => {
        const live = withPartial(messages, partial);
        const cut = archiveBoundary(live, { ...bounds, countTokens: costById });
        const kept = live.slice(cut);
        const cost = kept.reduce((sum, given) => sum + costById(given), 0);
        expect(pairsIn(steps).filter(([first, last]) => first < cut && cut <= last)).toEqual([]);
        expect(cut === 0 || kept.length >= (bounds.keepRecent ?? 0)).toBe(true);
        expect(cut === 0 || cost >= (bounds.keepTokens ?? 0)).toBe(true);
        expect(live.slice(0, cut).filter(({ status }) => status === "partial")).toEqual([]);
      }),
    );
  });

  it("leaves no unanswered call among the archived while a turn runs", () => {
    holds(
      fc.property(anyConversation(), ({ steps, messages }) => {
        const archived = steps.slice(0, archiveBoundary(messages, running));
        const isOpen = (step: Step, index: number) =>
          step.calls?.some((id) => !answeredLater(steps, index, id));
        expect(archived.filter(isOpen)).toEqual([]);
      }),
    );
  });

  it("archives as much as the limits allow", () => {
    holds(
      fc.property(anyConversation(), fc.nat(10), ({ steps, messages }, keepRecent) => {
        const cut = archiveBoundary(messages, { ...idle, keepRecent });
        const isCut = (at: number) => !pairsIn(steps).some(([first, last]) => first < at && at <= last);
        const later = Array.from({ length: messages.length + 1 }, (_, at) => at).filter((at) => at > cut);
        expect(later.filter((at) => at <= messages.length - keepRecent && isCut(at))).toEqual([]);
      }),
    );
  });
});

/** Whether a result comes before the id is used in another call. */
function answeredLater(steps: readonly Step[], index: number, id: string): boolean {
  const again = steps.findIndex((step, at) => at > index && step.calls?.includes(id));
  const until = again === -1 ? steps.length : again;
  return steps.slice(index, until).some((step) => step.results?.includes(id));
}
