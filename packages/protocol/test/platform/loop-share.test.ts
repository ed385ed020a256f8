import { expect, test } from "vitest";
import { LoopShare } from "../../src/platform/loop-share.js";

/** A share of 10 ms. The test controls its time and when other events run. */
function heldShare() {
  let time = 0;
  const later: (() => void)[] = [];
  const share = new LoopShare({
    shareMs: 10,
    now: () => time,
    afterOtherEvents: (callback) => later.push(callback),
  });
  const settle = async (): Promise<void> => {
    for (let tick = 0; tick < 20; tick++) await undefined;
  };
  return {
    share,
    pass: (ms: number) => {
      time += ms;
    },
    /** Lets other events run, and the work that waited for them. */
    async turn() {
      for (const callback of later.splice(0)) callback();
      await settle();
    },
  };
}

test("work continues at once while the share lasts, and waits when it is spent", async () => {
  const { share, pass, turn } = heldShare();
  expect(share.begin()).toBeUndefined();
  pass(9);
  expect(share.continue()).toBeUndefined();
  pass(1);
  let continued = false;
  void share.continue()?.then(() => {
    continued = true;
  });
  await turn();
  expect(continued).toBe(true);
  expect(share.isSpent).toBe(false);
});

test("waiting work resumes first in, first out, and in each turn of the event loop until the share is spent", async () => {
  const { share, pass, turn } = heldShare();
  pass(10);
  const done: number[] = [];
  for (const each of [1, 2, 3, 4, 5])
    void share.begin()?.then(() => {
      done.push(each);
      pass(4);
    });
  await turn();
  expect(done).toEqual([1, 2, 3]);
  await turn();
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test("new work queues behind work that is already waiting", async () => {
  const { share, turn } = heldShare();
  const done: string[] = [];
  void share.afterOthers().then(() => done.push("first"));
  void share.begin()?.then(() => done.push("second"));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(["first", "second"]);
});

test("work that asks to run after others waits for a turn of the event loop, although the share is not spent", async () => {
  const { share, turn } = heldShare();
  let turns = 0;
  const loop = async (): Promise<void> => {
    for (; turns < 3; turns++) await share.afterOthers();
  };
  void loop();
  await turn();
  expect(turns).toBe(1);
  await turn();
  expect(turns).toBe(2);
});
