import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { describeError, isExpectedError } from "../src/worker/expected-errors.js";

const full = SessionError.of("STORE_FULL", "There is no room left.", {});
const broken = SessionError.of("SESSION_CORRUPTED", "A byte is flipped.", { sessionId: "s" });

test("a turn that failed and could not be ended either may fail like this if both of its errors may be given", () => {
  const both = (unended: Error): AggregateError => new AggregateError([full, unended], "both");
  expect(isExpectedError(both(full), [])).toBe(true);
  expect(isExpectedError(both(broken), [])).toBe(false);
  expect(isExpectedError(both(new TypeError("a mistake")), [])).toBe(false);
});

test("a finding tells both errors of such a turn", () => {
  const words = describeError(new AggregateError([full, broken], "both"));
  expect(words).toContain("There is no room left.");
  expect(words).toContain("A byte is flipped.");
});
