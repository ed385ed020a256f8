import { systemClock } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { KeepAlive } from "../../src/engine/keep-alive.js";
import { PendingReplies } from "../../src/engine/pending-replies.js";
import { Unsent } from "../../src/error-mapping.js";
import { sharedServer } from "../servers.js";
import { connection, within } from "./engine.js";

const server = await sharedServer();
const INCREMENT = { lua: "return redis.call('INCR', KEYS[1])", sha: "0".repeat(40) };

test("a script whose deadline is over is not sent: the caller learns that nothing was changed", async () => {
  using own = connection({ url: server.url });
  await own.runOnce(INCREMENT, ["late"], [], within());
  const over = within(0);
  await expect(own.runOnce(INCREMENT, ["late"], [], over)).rejects.toBeInstanceOf(Unsent);
  expect(await own.runOnce(INCREMENT, ["late"], [], within())).toBe(2);
});

test("a command that was sent when its deadline was nearly over does not cost the connection", async () => {
  const silences: number[] = [];
  const replies = new PendingReplies(systemClock, new KeepAlive(), () => silences.push(silences.length));
  const given = (ms: number): Promise<unknown> =>
    new Promise((resolve) => {
      const until = performance.now() + ms;
      replies.wait(new Promise(() => undefined), until, () => new Error("overdue"), resolve, resolve);
    });
  await given(5);
  expect(silences).toEqual([]);
  await given(300);
  expect(silences).toEqual([0]);
  replies.close();
});
