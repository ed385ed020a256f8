import { expect, test } from "vitest";
import { DeliveredSessions } from "../../src/feed/delivered-sessions.js";
import { cursorOf, readCursor } from "../../src/feed/feed-cursor.js";
import { FeedPosition } from "../../src/feed/feed-position.js";
import { isUnchanged, type ObservedSession } from "../../src/feed/observed-session.js";

type Sessions = ReadonlyMap<string, ObservedSession>;

function observed(id: string, revision: number, at = revision): ObservedSession {
  return { id, revision, at, deleted: false };
}

function sessionsOf(sessions: readonly ObservedSession[]): Sessions {
  return new Map(sessions.map((seen) => [seen.id, seen]));
}

function positionAt(sessions: Sessions): FeedPosition {
  const position = new FeedPosition();
  for (const seen of sessions.values()) position.exchange(undefined, seen);
  return position;
}

/** The sessions that a watcher with this cursor gets when it finds these. */
function resumed(cursor: string, sessions: Sessions): readonly string[] {
  const position = positionAt(sessions);
  position.begin(readCursor(cursor));
  return [...sessions.values()].filter((seen) => position.mayBeNew(seen)).map(({ id }) => id);
}

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Sessions of which some have changed, some are gone, and some are new. */
function changed(sessions: Sessions, random: (below: number) => number): Sessions {
  const next = new Map(sessions);
  for (let n = random(40); n >= 0; n--) {
    const id = `s${random(300)}`;
    const before = next.get(id);
    if (random(10) === 0) next.delete(id);
    else next.set(id, { ...observed(id, (before?.revision ?? 0) + 1, random(50)), deleted: random(5) === 0 });
  }
  return next;
}

function differences(before: Sessions, after: Sessions): readonly ObservedSession[] {
  return [...after.values()].filter((seen) => {
    const other = before.get(seen.id);
    return other === undefined || !isUnchanged(other, seen);
  });
}

test("no cursor skips a session whose change was not delivered by then", () => {
  const random = numbers(7);
  let sessions: Sessions = new Map();
  const position = positionAt(sessions);
  position.begin(undefined);
  const delivered = new Map<string, ObservedSession>();
  const cursors: { readonly cursor: string; readonly delivered: Sessions }[] = [];
  for (let round = 0; round < 60; round++) {
    const next = changed(sessions, random);
    const news = differences(sessions, next);
    for (const seen of news) position.exchange(sessions.get(seen.id), seen);
    for (const [id, gone] of sessions) if (!next.has(id)) position.exchange(gone, undefined);
    for (const { sessionId, cursor } of position.changes(news)) {
      delivered.set(sessionId, next.get(sessionId) ?? observed(sessionId, 0));
      if (random(8) === 0) cursors.push({ cursor, delivered: new Map(delivered) });
    }
    sessions = next;
    for (const one of cursors.filter(() => random(20) === 0)) {
      const again = new Set(resumed(one.cursor, sessions));
      expect(differences(one.delivered, sessions).filter(({ id }) => !again.has(id))).toEqual([]);
    }
  }
  expect(cursors.length).toBeGreaterThan(50);
});

test("a watcher that got every change gets none again", () => {
  const all = Array.from({ length: 1000 }, (_, n) => observed(`s${n}`, 1));
  const position = positionAt(sessionsOf(all));
  position.begin(new DeliveredSessions());
  const last = [...position.changes(all)].at(-1);
  expect(resumed(last?.cursor ?? "", sessionsOf(all))).toEqual([]);
});

test("one changed session among 1000 repeats few others", () => {
  const all = Array.from({ length: 1000 }, (_, n) => observed(`s${n}`, 1));
  const position = positionAt(sessionsOf(all));
  position.begin(new DeliveredSessions());
  const last = [...position.changes(all)].at(-1);
  const now = sessionsOf([...all, observed("s500", 2)]);
  const delivered = resumed(last?.cursor ?? "", now);
  expect(delivered).toContain("s500");
  expect(delivered.length).toBeLessThan(30);
});

/** Two sessions of one group, with ids of the same length. */
function ofOneGroup(): readonly [string, string] {
  const byGroup = new Map<number, string>();
  for (let n = 1000; ; n++) {
    const id = `s${n}`;
    const group = DeliveredSessions.groupOf(observed(id, 1));
    const other = byGroup.get(group);
    if (other !== undefined) return [other, id];
    byGroup.set(group, id);
  }
}

test("two sessions that change in the same way do not hide each other", () => {
  const [a, b] = ofOneGroup();
  const delivered = new DeliveredSessions();
  for (const id of [a, b]) delivered.add(observed(id, 1));
  expect(resumed(cursorOf(delivered), sessionsOf([observed(a, 2), observed(b, 2)]))).toEqual([a, b]);
});

test("a session whose folder is gone does not repeat the others of its group for ever", () => {
  const [gone, stays] = ofOneGroup();
  const position = positionAt(sessionsOf([observed(gone, 1), observed(stays, 1)]));
  position.begin(undefined);
  position.exchange(observed(gone, 1), undefined);
  expect([...position.changes([])]).toEqual([]);
  position.exchange(undefined, observed("new", 1));
  const [change] = position.changes([observed("new", 1)]);
  expect(resumed(change?.cursor ?? "", sessionsOf([observed(stays, 1), observed("new", 1)]))).toEqual([]);
});

test("a session that reached the same revision another way is delivered", () => {
  const delivered = new DeliveredSessions();
  delivered.add(observed("a", 5, 1000));
  expect(resumed(cursorOf(delivered), sessionsOf([observed("a", 5, 2000)]))).toEqual(["a"]);
  expect(resumed(cursorOf(delivered), sessionsOf([observed("a", 5, 1000)]))).toEqual([]);
});

test("a cursor that was cut or changed is INVALID_ARGUMENT", () => {
  const cursor = cursorOf(new DeliveredSessions());
  expect(cursor.length).toBeLessThan(1100);
  const first = cursor.startsWith("B") ? "A" : "B";
  for (const bad of [
    cursor.slice(0, -1),
    `${cursor}AAAA`,
    first + cursor.slice(1),
    cursor.replace("AAAA", "AAAB"),
    "",
  ]) {
    expect(() => readCursor(bad)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});
