import { describe, expect, test } from "vitest";
import { type Change, ChangeFeed } from "../../src/backend.js";

const change = (sessionId: string, revision: number): Change => ({
  sessionId,
  revision,
  at: 0,
  cursor: String(revision),
});

async function take(changes: AsyncIterator<Change>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await changes.next();
    if (done === true) break;
    taken.push(`${value.sessionId}@${value.revision}`);
  }
  return taken;
}

describe("a change feed", () => {
  test("delivers the last change of each session to a slow watcher, in the order of those changes", async () => {
    const feed = new ChangeFeed();
    const stop = new AbortController();
    const changes = feed.watch({}, stop.signal, () => []);
    const first = changes.next();
    feed.publish(change("a", 1));
    expect((await first).value).toMatchObject({ sessionId: "a", revision: 1 });
    for (const one of [change("a", 2), change("b", 1), change("a", 3)]) feed.publish(one);
    expect(await take(changes, 2)).toEqual(["b@1", "a@3"]);
    stop.abort();
    expect((await changes.next()).done).toBe(true);
  });

  test("delivers missed changes first, and loses no change in between", async () => {
    const feed = new ChangeFeed();
    const stop = new AbortController();
    const missed = (): Change[] => {
      feed.publish(change("b", 7)); // a commit while the feed looks back
      return [change("a", 5)];
    };
    expect(await take(feed.watch({}, stop.signal, missed), 2)).toEqual(["b@7", "a@5"]);
  });

  test("ends for a waiting watcher when its signal aborts", async () => {
    const stop = new AbortController();
    const waiting = new ChangeFeed().watch({ session: "s" }, stop.signal, () => []).next();
    stop.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test("delivers only the changes of one session to a watcher of that session", async () => {
    const feed = new ChangeFeed();
    const changes = feed.watch({ session: "mine" }, new AbortController().signal, () => []);
    const first = changes.next();
    feed.publish(change("other", 1));
    feed.publish(change("mine", 2));
    expect((await first).value).toMatchObject({ sessionId: "mine", revision: 2 });
  });
});
