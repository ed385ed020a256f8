import { openStore } from "@sessions/config";
import { startServer } from "redis-servers";
import { afterAll, describe, expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { sessions, sessionsJson, temporaryFolder } from "./run-sessions.js";

const server = await startServer({ aof: "everysec" });
afterAll(() => server.stop());

const SESSIONS = 19;

/** A store with sessions of every kind, and one that damage is done to. */
async function filled(prefix: string): Promise<{ readonly target: string; readonly cwd: string }> {
  const target = `${server.url}?prefix=${prefix}`;
  await using store = await openStore(target);
  await fillCorpus(store, SESSIONS);
  await store.createSession("victim", {
    labels: { user: "ada" },
    messages: [{ role: "user", content: "hello" }],
  });
  return { target, cwd: await temporaryFolder() };
}

async function keysOf(prefix: string, pattern: string): Promise<readonly string[]> {
  const keys = await server.call("KEYS", `${prefix}:${pattern}`);
  return Array.isArray(keys) ? keys.map(String) : [];
}

async function listed(target: string): Promise<number> {
  await using store = await openStore(target);
  let count = 0;
  for await (const _ of store.listSessions()) count++;
  return count;
}

test("a sound store on Redis has nothing to report", async () => {
  const { target, cwd } = await filled("sound");
  const [found] = await sessionsJson(["doctor", "--store", target], { cwd });
  expect(found).toMatchObject({
    healthy: true,
    sessions: SESSIONS + 1,
    damaged: [],
    problems: [],
    rebuilt: [],
  });
  const [stats] = await sessionsJson(["stats", "--store", target], { cwd });
  expect(stats).toMatchObject({ healthy: true, damaged: 0, sessions: SESSIONS + 1 });
});

/** What happens to one session behind the store's back. */
const damages: Readonly<Record<string, (prefix: string) => Promise<unknown>>> = {
  "whose keys were evicted or deleted by hand": async (prefix) =>
    server.call(
      "DEL",
      ...(await keysOf(prefix, "*}:record:victim")),
      ...(await keysOf(prefix, "*}:session:victim")),
    ),
  "whose content was evicted": async (prefix) =>
    server.call("DEL", ...(await keysOf(prefix, "*}:session:victim"))),
  "whose record was evicted": async (prefix) =>
    server.call("DEL", ...(await keysOf(prefix, "*}:record:victim"))),
  "whose record is of a wrong type": async (prefix) => {
    const [key = ""] = await keysOf(prefix, "*}:record:victim");
    await server.call("SET", key, "another program's");
  },
  "whose content is of a wrong type": async (prefix) => {
    const [key = ""] = await keysOf(prefix, "*}:session:victim");
    await server.call("SET", key, "another program's");
  },
  "that lacks a message": async (prefix) => {
    const [key = ""] = await keysOf(prefix, "*}:session:victim");
    const fields = await server.call("HKEYS", key);
    const rows = (Array.isArray(fields) ? fields.map(String) : []).filter((field) => /^m\d/.test(field));
    await server.call("HDEL", key, ...rows);
  },
};

describe.each(Object.entries(damages))("a session on Redis %s", (name, damage) => {
  const prefix = name.replaceAll(/[^a-z]/g, "-");

  test("is named by doctor, backup and migrate, with exit code 4, and stats counts it", async () => {
    const { target, cwd } = await filled(prefix);
    await damage(prefix);
    const [found] = await sessionsJson(["doctor", "--store", target], { cwd }, 4);
    expect(found).toMatchObject({ damaged: [{ sessionId: "victim", status: "damaged" }] });

    const [backup] = await sessionsJson(["backup", "all.jsonl", "--store", target], { cwd }, 4);
    expect(backup).toMatchObject({ sessions: SESSIONS, damaged: [{ sessionId: "victim" }] });

    const [migrated] = await sessionsJson(["migrate", target, "file:./copy"], { cwd }, 4);
    expect(migrated).toMatchObject({ copied: SESSIONS, damaged: [{ sessionId: "victim" }] });

    const stats = await sessions(["stats", "--store", target], { cwd });
    expect(stats.stdout).toContain("not healthy: 1 session is damaged");
    expect(stats.stdout).not.toContain("good");
  });

  test("is told by doctor --fix as one that it cannot bring back, and the others are listed", async () => {
    const { target, cwd } = await filled(`fixed-${prefix}`);
    await damage(`fixed-${prefix}`);
    const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", "--store", target], { cwd }, 4);
    expect(fixed).toMatchObject({
      damaged: [{ sessionId: "victim", repaired: { status: "left" } }],
      problems: [],
    });
    expect(await listed(target)).toBe(SESSIONS);
  });
});

/** What happens to an index behind the store's back. */
const lost: Readonly<Record<string, string>> = {
  "its sets by last change": "*}:recent",
  "the heads of its partitions": "*}:head",
  "its format": "format",
  "sets of a label": "*}:label:*",
};

describe.each(Object.entries(lost))("a store on Redis that lost %s", (_name, pattern) => {
  const prefix = `lost-${pattern.replaceAll(/[^a-z]/g, "")}`;

  test("is named by doctor, backup and migrate, with exit code 4, and whole again after doctor --fix", async () => {
    const { target, cwd } = await filled(prefix);
    await server.call("DEL", ...(await keysOf(prefix, pattern)));

    const [found] = await sessionsJson(["doctor", "--store", target], { cwd }, 4);
    expect(found).toMatchObject({
      damaged: [],
      problems: expect.arrayContaining([expect.stringContaining(prefix)]),
    });
    for (const command of [
      ["backup", "all.jsonl", "--store", target],
      ["migrate", target, "file:./copy"],
    ]) {
      const ended = await sessions(command, { cwd });
      expect(ended.code, ended.stderr).toBe(4);
      expect(ended.stderr).toContain("doctor --fix");
    }

    const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", "--store", target], { cwd });
    expect(fixed).toMatchObject({ healthy: true, sessions: SESSIONS + 1, damaged: [], problems: [] });
    expect(await listed(target)).toBe(SESSIONS + 1);
    const [again] = await sessionsJson(["doctor", "--store", target], { cwd });
    expect(again).toMatchObject({ healthy: true, damaged: [], problems: [], rebuilt: [] });
  });
});

/** A session that was deleted. */
async function withTombstone(target: string): Promise<void> {
  await using store = await openStore(target);
  await store.createSession("gone");
  await store.deleteSession("gone");
}

/** Keys of the index that another program may write over. */
const indexKeys: readonly string[] = [
  "*}:head",
  "*}:feed",
  "*}:recent",
  "*}:created",
  "*}:ids",
  "*}:ends",
  "*}:entries",
  "*}:label:*",
  "*}:parent:*",
  "*}:tombstones",
];

describe.each(indexKeys)("a store on Redis with other programs' values at %s", (pattern) => {
  const prefix = `foreign-${pattern.replaceAll(/[^a-z]/g, "")}`;

  test("is named by doctor with exit code 4 and is not good to stats, and whole again after doctor --fix", async () => {
    const { target, cwd } = await filled(prefix);
    await withTombstone(target);
    const keys = await keysOf(prefix, pattern);
    expect(keys).not.toEqual([]);
    for (const key of keys) await server.call("SET", key, "another program's");

    const [found] = await sessionsJson(["doctor", "--store", target], { cwd }, 4);
    expect(found).toMatchObject({
      damaged: [],
      problems: expect.arrayContaining([expect.stringContaining(keys[0] ?? "")]),
    });
    const stats = await sessions(["stats", "--store", target], { cwd });
    expect(stats.stdout).not.toContain("good");
    for (const command of [
      ["backup", "all.jsonl", "--store", target],
      ["migrate", target, "file:./copy"],
    ]) {
      const ended = await sessions(command, { cwd });
      expect([0, 4], ended.stderr).toContain(ended.code);
      if (ended.code === 0) expect(ended.stdout).toContain(String(SESSIONS + 1));
      else expect(ended.stderr).toContain("doctor --fix");
    }
    for (const key of keys) expect(String(await server.call("GET", key))).toBe("another program's");

    const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", "--store", target], { cwd });
    expect(fixed).toMatchObject({ healthy: true, sessions: SESSIONS + 1, damaged: [], problems: [] });
    expect(await listed(target)).toBe(SESSIONS + 1);
    const [again] = await sessionsJson(["doctor", "--store", target], { cwd });
    expect(again).toMatchObject({ healthy: true, damaged: [], problems: [], rebuilt: [] });
  });
});
