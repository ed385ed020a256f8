import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { describeError, isExpectedError } from "../src/worker/expected-errors.js";

const full = SessionError.of("STORE_FULL", "There is no room left.", {});
const broken = SessionError.of("SESSION_CORRUPTED", "A byte is flipped.", { sessionId: "s" });

test("an AggregateError is expected only if every error in it is expected", () => {
  const both = (other: Error): AggregateError => new AggregateError([full, other], "both");
  expect(isExpectedError(both(full), [])).toBe(true);
  expect(isExpectedError(both(broken), [])).toBe(false);
  expect(isExpectedError(both(new TypeError("a mistake")), [])).toBe(false);
});

test("the description of an AggregateError has the messages of all its errors", () => {
  const text = describeError(new AggregateError([full, broken], "both"));
  expect(text).toContain("There is no room left.");
  expect(text).toContain("A byte is flipped.");
});
