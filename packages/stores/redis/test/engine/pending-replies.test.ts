import { systemClock } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { KeepAlive } from "../../src/engine/keep-alive.js";
import { PendingReplies } from "../../src/engine/pending-replies.js";

const REPLIES = 100;
const WORK_MS = 2;

function work(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
}

test("callers of replies that arrive at once continue in their order, and other events run in between", async () => {
  const replies = new PendingReplies(systemClock, new KeepAlive(), () => undefined);
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (answer = resolve));
  const order: number[] = [];
  let turns = 0;
  const done = Promise.all(
    Array.from({ length: REPLIES }, async (_, index) => {
      await new Promise<void>((resolve, reject) => {
        const until = performance.now() + 10_000;
        replies.wait(arrived, until, () => new Error("overdue"), resolve, reject);
      });
      work();
      order.push(index);
    }),
  );
  const count = (): void => {
    turns++;
    if (order.length < REPLIES) setImmediate(count);
  };
  setImmediate(count);
  answer();
  await done;
  replies.close();
  expect(order).toEqual(Array.from({ length: REPLIES }, (_, index) => index));
  // 200 ms of work in shares of about 10 ms.
  expect(turns).toBeGreaterThan(8);
});
