import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@sessions/config";
import { openSqliteStore } from "@sessions/sqlite";
import { startServer } from "redis-servers";
import { expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { inTerminal } from "./pseudo-terminal.js";
import { sessions, sessionsHere, sessionsJson, temporaryFolder } from "./run-sessions.js";

/** All percentages that a progress bar showed. */
const percentages = (raw: string, what: string): readonly number[] =>
  [...raw.matchAll(new RegExp(`${what} {2}\\[[#-]*\\] {2}(\\d+)%`, "g"))].map(([, share]) => Number(share));

test("the percentages of migrate and backup rise and end at 100", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  await fillCorpus(store, 120);
  const migrated = await inTerminal(["migrate", "file:./store", "sqlite:./copy.db"], { cwd });
  const backedUp = await inTerminal(["backup", "b.jsonl", "--store", "file:./store"], { cwd });
  for (const [{ code, raw }, what] of [
    [migrated, "copying"],
    [migrated, "comparing"],
    [backedUp, "backing up"],
  ] as const) {
    expect(code).toBe(0);
    const shown = percentages(raw, what);
    expect(shown.at(-1), what).toBe(100);
    expect(shown, what).toEqual(shown.toSorted((a, b) => a - b));
  }
});

/** A database in which a message of "spoiled" is damaged, and all of "broken". Ten sessions are sound. */
async function damagedSource(cwd: string): Promise<void> {
  await using store = await openSqliteStore({ path: join(cwd, "source.db") });
  for (let n = 0; n < 10; n++) await store.addMessage(`s${n}`, { role: "user", content: `hello ${n}` });
  await store.createSession("broken", { title: "title of broken" });
  await store.addMessage("spoiled", { role: "user", content: "hello from spoiled" });
  await store.close();
  const file = await readFile(join(cwd, "source.db"));
  file.write("title of crumbs", file.indexOf("title of broken"));
  file.write("jello from spoiled", file.indexOf("hello from spoiled"));
  await writeFile(join(cwd, "source.db"), file);
}

test("the numbers of the summary add up, and every damaged session is named once", async () => {
  const cwd = await temporaryFolder();
  await damagedSource(cwd);
  await using target = await openStore(`file:${cwd}/target`);
  await target.addMessage("s0", { role: "user", content: "of another program" });
  const args = ["migrate", "sqlite:./source.db", "file:./target"];
  const { code, stdout, stderr } = await sessionsHere(args, { cwd });
  expect(code).toBe(4);
  expect(stdout).toContain(
    "12 sessions: 9 copied, 0 updated, 0 there already, 1 not overwritten, 2 damaged.\n",
  );
  for (const id of ["broken", "spoiled"])
    expect(stderr.match(new RegExp(`Damaged, not copied: ${id}\\.`, "g")), id).toHaveLength(1);
  expect(stderr).toContain("Not overwritten: s0.");
  const [again] = await sessionsJson(args, { cwd }, 4);
  expect(again).toMatchObject({
    sessions: 12,
    copied: 0,
    same: 9,
    conflicts: [{ sessionId: "s0" }],
    damaged: [{ sessionId: "broken" }, { sessionId: "spoiled" }],
    verified: { sessions: 10, different: ["s0"] },
  });
});

test("a dry run into a new target counts damaged sessions as such, and makes nothing", async () => {
  const cwd = await temporaryFolder();
  await damagedSource(cwd);
  const args = ["migrate", "sqlite:./source.db", "file:./target", "--dry-run"];
  const { code, stdout } = await sessionsHere(args, { cwd });
  expect(code).toBe(4);
  expect(stdout).toBe("12 sessions: 10 to copy, 0 to update, 0 there already, 2 damaged.\n");
  expect((await sessionsHere(["ls", "--store", "file:./target"], { cwd })).code).toBe(6);
});

test("a damaged session of the target is named and not overwritten, and the others are copied", async () => {
  const cwd = await temporaryFolder();
  await using source = await openStore(`sqlite:${cwd}/source.db`);
  const target = await openStore(`file:${cwd}/target`);
  for (const id of ["a", "b"]) await source.addMessage(id, { role: "user", content: "hello" });
  await target.addMessage("a", { role: "user", content: "hello" });
  await target.close();
  await writeFile(join(cwd, "target/sessions/a/1.jsonl"), "notes\n");
  const [result] = await sessionsJson(["migrate", "sqlite:./source.db", "file:./target"], { cwd }, 5);
  expect(result).toMatchObject({ sessions: 2, copied: 1, conflicts: [{ sessionId: "a" }] });
  expect(await readFile(join(cwd, "target/sessions/a/1.jsonl"), "utf8")).toBe("notes\n");
});

test("a migration that fails on the way says how far it came, and how to go on", async () => {
  const cwd = await temporaryFolder();
  await using server = await startServer({
    aof: "everysec",
    config: ["maxmemory 12mb", "maxmemory-policy noeviction"],
  });
  await using source = await openStore(`sqlite:${cwd}/source.db`);
  for (let n = 0; n < 30; n++)
    await source.addMessage(`s${n}`, { role: "user", content: `${n}`.repeat(500_000) });
  const failed = await sessions(["migrate", "sqlite:./source.db", server.url, "--concurrency", "1"], { cwd });
  expect(failed.code).toBe(6);
  const copied = Number(/^Not finished\. (\d+) sessions?: \1 copied, /m.exec(failed.stdout)?.[1]);
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThan(30);
  expect(failed.stderr).toContain("it goes on from there");
  await server.call("CONFIG", "SET", "maxmemory", "0");
  const [rest] = await sessionsJson(["migrate", "sqlite:./source.db", server.url], { cwd });
  expect(rest).toMatchObject({ sessions: 30, same: copied, copied: 30 - copied });
});

test("migrate says in whole sentences that no, one and several sessions are equal", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  const lines: (string | undefined)[] = [];
  for (const id of ["none", "s", "t"]) {
    if (id !== "none") await store.addMessage(id, { role: "user", content: "hello" });
    const { stdout } = await sessionsHere(["migrate", "file:./store", "sqlite:./copy.db"], { cwd });
    lines.push(stdout.split("\n")[1]);
  }
  expect(lines).toEqual([
    "There are no sessions to compare.",
    "1 session is equal in both stores.",
    "All 2 sessions are equal in both stores.",
  ]);
});
