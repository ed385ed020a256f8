import { describe, expect, test } from "vitest";
import { Random, SilenceAlarm, within } from "../src/index.js";

describe("a wait with a deadline", () => {
  test("returns what it waited for", async () => {
    expect(await within(60_000, "a value", Promise.resolve(7))).toBe(7);
  });

  test("fails with the name of what did not come", async () => {
    await expect(within(1, "the last kill", new Promise(() => undefined))).rejects.toThrow(
      "waited 1 ms for the last kill",
    );
  });
});

test("an alarm goes off after silence", async () => {
  let isSilent = false;
  const alarm = new SilenceAlarm(5, () => {
    isSilent = true;
  });
  alarm.heard();
  await expect.poll(() => isSilent).toBe(true);
});

test("the same seed makes the same choices, and another name makes others", () => {
  const choices = (...names: string[]): number[] => {
    const random = new Random(3, ...names);
    return Array.from({ length: 20 }, () => random.between(1, 1000));
  };
  expect(choices("worker")).toEqual(choices("worker"));
  expect(choices("worker")).not.toEqual(choices("audit"));
});
