import { expect, test } from "vitest";
import { ArrivalOrder } from "../src/turn/arrival-order.js";

const { signal } = new AbortController();

test("updates of one conversation enter in order of arrival, and a conversation without updates on the way is forgotten", async () => {
  const arrivals = new ArrivalOrder();
  const entered: number[] = [];
  const passing = Array.from({ length: 1000 }, (_, n) =>
    arrivals.pass(`conversation ${n % 10}`, signal, async (enter) => {
      await new Promise((resolve) => setTimeout(resolve, n % 3));
      entered.push(n);
      enter();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }),
  );
  expect(arrivals.size).toBe(10);
  await Promise.all(passing);
  for (let one = 0; one < 10; one++) {
    const own = entered.filter((n) => n % 10 === one);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  expect(arrivals.size).toBe(0);
});

test("an update that fails before it has entered does not hold up later ones", async () => {
  const arrivals = new ArrivalOrder();
  const failing = arrivals.pass("c", signal, () => Promise.reject(new Error("no")));
  const next = arrivals.pass("c", signal, async () => "in");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("in");
  expect(arrivals.size).toBe(0);
});
