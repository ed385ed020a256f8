import { expect, test } from "vitest";
import { pollIntervalMs } from "../../src/feed/poll-interval.js";

test("one session is polled every 50 ms, a store every 250 ms", () => {
  expect(pollIntervalMs({ sessions: "one", tookMs: 0.02, watchers: 1 })).toBe(50);
  expect(pollIntervalMs({ sessions: "all", tookMs: 2, watchers: 1 })).toBe(250);
});

test("polling takes a twentieth of the time at most, however many sessions and watchers there are", () => {
  expect(pollIntervalMs({ sessions: "all", tookMs: 40, watchers: 1 })).toBe(800);
  expect(pollIntervalMs({ sessions: "one", tookMs: 0.02, watchers: 1000 })).toBe(400);
});

test("a poll that seemed to take minutes does not delay the next for hours", () => {
  expect(pollIntervalMs({ sessions: "all", tookMs: 120_000, watchers: 3 })).toBe(10_000);
});
