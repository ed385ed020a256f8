import { expect, test } from "vitest";
import { Random, SilenceAlarm, within } from "../src/index.js";

test("`within` returns the value of a promise that settles in time", async () => {
  expect(await within(60_000, "a value", Promise.resolve(7))).toBe(7);
});

test("`within` rejects with the name of the promise that did not settle in time", async () => {
  await expect(within(1, "the last kill", new Promise(() => undefined))).rejects.toThrow(
    "waited 1 ms for the last kill",
  );
});

test("a SilenceAlarm calls back after it has heard nothing for its time", async () => {
  let isSilent = false;
  const alarm = new SilenceAlarm(5, () => {
    isSilent = true;
  });
  alarm.heard();
  await expect.poll(() => isSilent).toBe(true);
});

test("the same seed and name give the same random choices, and another name gives other choices", () => {
  const choices = (...names: string[]): number[] => {
    const random = new Random(3, ...names);
    return Array.from({ length: 20 }, () => random.between(1, 1000));
  };
  expect(choices("worker")).toEqual(choices("worker"));
  expect(choices("worker")).not.toEqual(choices("audit"));
});
