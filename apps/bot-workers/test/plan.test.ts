import { expect, test } from "vitest";
import { makePlan } from "../src/plan.js";

const size = { updates: 2000, users: 50 };

test("a plan has bursts, immediate and late copies, and updates out of order", () => {
  const { updates, deliveries } = makePlan(size, 7);
  expect(updates.map(({ id }) => id)).toEqual(Array.from({ length: size.updates }, (_, id) => id));
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(size.updates);
  expect(deliveries.length).toBeGreaterThan(1.1 * size.updates);
  const overtaken = deliveries.filter(({ id }, index) => (deliveries[index + 1]?.id ?? id) < id);
  expect(overtaken.length).toBeGreaterThan(0.1 * size.updates);
  const sameUser = deliveries.filter(({ user }, index) => deliveries[index + 1]?.user === user);
  expect(sameUser.length).toBeGreaterThan(0.4 * deliveries.length);
});

test("the same seed gives the same plan", () => {
  expect(makePlan(size, 7)).toEqual(makePlan(size, 7));
  expect(makePlan(size, 8)).not.toEqual(makePlan(size, 7));
});
