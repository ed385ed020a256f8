import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@sessions/config";
import { openSqliteStore } from "@sessions/sqlite";
import { startServer } from "redis-servers";
import { afterAll, describe, expect, test } from "vitest";
import { sessions, sessionsHere, sessionsJson, temporaryFolder } from "./run-sessions.js";

const server = await startServer({ aof: "everysec" });
afterAll(() => server.stop());

/** Bytes of a database file, changed behind the store's back. */
async function spoiled(file: string, from: string, to: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(from);
  if (at < 0) throw new Error(`${from} is not in ${file}`);
  bytes.write(to, at);
  await writeFile(file, bytes);
}

/** A kind of store, and a way to damage the session "broken" in it so that no list has it. */
interface Kind {
  readonly kind: string;
  url(cwd: string): string;
  damage(cwd: string): Promise<void>;
  /** Where the damaged bytes are after `rm`. */
  readonly kept: RegExp;
}

const kinds: readonly Kind[] = [
  {
    kind: "file",
    url: () => "file:./store",
    async damage(cwd) {
      const folder = join(cwd, "store/sessions/broken");
      const [segment = ""] = await readdir(folder);
      await spoiled(join(folder, segment), "hello", "jello");
    },
    kept: /Its files are now in \S+\/quarantine\/broken-\w+\./,
  },
  {
    kind: "sqlite",
    url: () => "sqlite:./store.db",
    damage: (cwd) => spoiled(join(cwd, "store.db"), '"title of broken"', '"title of crumbs"'),
    kept: /Nothing of it is left in the database\./,
  },
  {
    kind: "redis",
    url: (cwd) => `${server.url}?prefix=${cwd.split("-").at(-1)}`,
    async damage(cwd) {
      const keys = await server.call("KEYS", `${cwd.split("-").at(-1)}:*:session:broken`);
      await server.call("DEL", ...(Array.isArray(keys) ? keys.map(String) : []));
    },
    kept: /Its keys are now \S+:aside:record:broken:\S+\./,
  },
];

async function filled({ url, damage }: Kind): Promise<{ cwd: string; env: { SESSIONS_STORE: string } }> {
  const cwd = await temporaryFolder();
  const env = { SESSIONS_STORE: url(cwd) };
  const store = await openStore(url(cwd), { cwd });
  for (const id of ["broken", "sound"])
    await store.createSession(id, {
      title: `title of ${id}`,
      messages: [{ role: "user", content: "hello" }],
    });
  await store.close();
  await damage(cwd);
  return { cwd, env };
}

describe.each(kinds)("with a damaged session on $kind", (kind) => {
  test("ls lists it as damaged beside the others", async () => {
    const place = await filled(kind);
    const listed = await sessions(["ls"], place);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^sound .* 1 /m);
    expect(listed.stdout).toMatch(/^broken .*damaged$/m);
    expect(listed.stderr).toContain('1 session is damaged: see "sessions doctor".');
    const [sound, broken, ...more] = await sessionsJson(["ls"], place);
    expect(sound).toMatchObject({ id: "sound", messageCount: 1 });
    expect(broken).toMatchObject({ id: "broken", damaged: true, problem: expect.stringMatching(/./) });
    expect(more).toEqual([]);
  });

  test("stats counts it and does not call the store healthy", async () => {
    const place = await filled(kind);
    const { stdout } = await sessions(["stats"], place);
    expect(stdout).toContain("not healthy: 1 session is damaged");
    expect(await sessionsJson(["stats"], place)).toMatchObject([{ healthy: false, sessions: 1, damaged: 1 }]);
  });

  test("search and export --all go on with the others", async () => {
    const place = await filled(kind);
    expect(await sessionsJson(["search", "hello"], place)).toMatchObject([{ sessionId: "sound" }]);
    const exported = await sessionsHere(["export", "--all"], place);
    expect(exported.code).toBe(4);
    expect(JSON.parse(exported.stdout)).toMatchObject({ sessionId: "sound" });
    expect(exported.stderr).toContain("Damaged, not exported: broken");
  });

  test("rm deletes it after a yes, says where its data is, and frees its id", async () => {
    const place = await filled(kind);
    const asked = await sessions(["rm", "broken"], place);
    expect(asked.code).toBe(5);
    expect(asked.stderr).toContain("It is damaged");
    expect((await sessionsHere(["doctor"], place)).code, "nothing was done").toBe(4);

    const removed = await sessions(["rm", "broken", "--yes"], place);
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringMatching(kind.kept) });
    const [examined] = await sessionsJson(["doctor"], place);
    expect(examined).toMatchObject({ sessions: 1, damaged: [] });
    await using store = await openStore(kind.url(place.cwd), { cwd: place.cwd });
    expect(await store.addMessage("broken", { role: "user", content: "again" })).toMatchObject({
      revision: 1,
    });
  });

  test("rm deletes sound and damaged sessions with one command, and tells which did not exist", async () => {
    const place = await filled(kind);
    const removed = await sessionsJson(["rm", "sound", "nobody", "broken", "--yes"], place, 3);
    expect(removed).toEqual([
      { sessionId: "sound", deleted: true },
      { sessionId: "nobody", deleted: false },
      { sessionId: "broken", deleted: true },
    ]);
    expect((await sessions(["ls"], place)).stderr).toContain("No sessions.");
  });
});

/** A SQLite store in which one message is damaged: lists have the session, because its head is sound. */
async function withDamagedMessage(): Promise<{ cwd: string; env: { SESSIONS_STORE: string } }> {
  const cwd = await temporaryFolder();
  await using store = await openSqliteStore({ path: join(cwd, "store.db") });
  for (const id of ["broken", "sound"])
    await store.addMessage(id, { id: `in-${id}`, role: "user", content: `hello from ${id}` });
  await store.close();
  await spoiled(join(cwd, "store.db"), "hello from broken", "jello from broken");
  return { cwd, env: { SESSIONS_STORE: "sqlite:./store.db" } };
}

test("search and export --all name a session of which only a message is damaged, and go on", async () => {
  const place = await withDamagedMessage();
  const found = await sessions(["search", "hello"], place);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("in-sound") });
  expect(found.stderr).toContain("Not searched: broken.");
  const exported = await sessions(["export", "--all"], place);
  expect(exported.code).toBe(4);
  expect(JSON.parse(exported.stdout)).toMatchObject({ sessionId: "sound" });
});

test('stats does not say "good" of what it has not read', async () => {
  const { stdout } = await sessions(["stats"], await withDamagedMessage());
  expect(stdout).toMatch(/^health +no damage seen; "sessions doctor" reads every message$/m);
});

test("the commands that doctor --fix prints on SQLite give what was saved the id of the damaged session", async () => {
  const cwd = await temporaryFolder();
  const place = { cwd, env: { SESSIONS_STORE: "sqlite:./store.db" } };
  const store = await openSqliteStore({ path: join(cwd, "store.db") });
  for (const text of ["first", "second", "third"])
    await store.addMessage("s 1", { role: "user", content: `the ${text} message` });
  await store.close();
  await spoiled(join(cwd, "store.db"), "the second", "the sEcond");
  const { stdout } = await sessions(["doctor", "--fix", "--yes"], place);
  const text = stdout.replaceAll(/\s+/g, " ");
  expect(text).toContain("At least 2 messages are intact.");
  expect(text).toContain("sessions rm 's 1'");
  expect(text).toContain("sessions fork 's 1.salvaged' --as 's 1'");
  expect((await sessions(["rm", "s 1", "--yes"], place)).code).toBe(0);
  expect((await sessions(["fork", "s 1.salvaged", "--as", "s 1"], place)).code).toBe(0);
  await using again = await openSqliteStore({ path: join(cwd, "store.db") });
  expect((await again.getChatHistory("s 1")).map(({ content }) => content)).toEqual([
    "the first message",
    "the third message",
  ]);
});

test("doctor --fix on SQLite says how to delete the damaged session, and after that the store is sound", async () => {
  const place = await withDamagedMessage();
  const fixed = await sessions(["doctor", "--fix", "--yes"], place);
  expect(fixed.code).toBe(4);
  expect(fixed.stdout).toContain("sessions rm broken");
  expect((await sessions(["rm", "broken", "--yes"], place)).code).toBe(0);
  expect((await sessions(["doctor"], place)).code).toBe(0);
});
