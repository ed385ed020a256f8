import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import { openSqliteStore } from "@sessions/sqlite";
import { expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { type Damage, damages, gone, MESSAGES, traces } from "./damage.js";
import { sessions, sessionsHere, sessionsJson, temporaryFolder } from "./run-sessions.js";

/** A store in which everything is damaged that can be: a session for each kind, and one that has nothing to do with it. */
async function damagedStore(kinds: readonly Damage[]): Promise<string> {
  const cwd = await temporaryFolder();
  const store = await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" });
  for (const id of ["bystander", ...kinds.map((_, at) => `s${at}`)]) {
    for (let n = 1; n <= MESSAGES; n++)
      await store.addMessage(id, { id: `m${n}`, role: "user", content: `message ${n}` });
    await store.forkSession(id, { newId: `fork-of-${id}` });
  }
  await store.close();
  for (const [at, { plant }] of kinds.entries()) await plant(join(cwd, `store/sessions/s${at}`));
  return cwd;
}

/** Every byte of every file below a folder. */
async function bytesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = files.map(
    async (file) =>
      [
        file,
        createHash("sha256")
          .update(await readFile(file))
          .digest("hex"),
      ] as const,
  );
  return new Map(await Promise.all(digests));
}

const STORE = ["--store", "file:./store"];
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
const idsOf = (numbers: readonly number[]): readonly string[] => numbers.map((n) => `m${n}`);

test("doctor finds 24 kinds of damage without changing anything, and --fix saves every whole commit and keeps every byte", async () => {
  expect(new Set(damages.map(({ name }) => name)).size).toBe(24);
  const kinds = [...damages, ...traces];
  const cwd = await damagedStore(kinds);
  const before = await bytesOf(join(cwd, "store"));
  const found = await sessions(["doctor", "--json", ...STORE], { cwd });
  const damaged = (repaired: (damage: Damage) => object): readonly object[] =>
    damages.map((damage, at) => ({ sessionId: `s${at}`, status: "damaged", ...repaired(damage) }));
  const inOrder = (result: unknown): unknown =>
    isFound(result) && { ...result, damaged: byId(result.damaged), benign: byId(result.benign) };
  expect(found.code, found.stderr).toBe(4);
  expect(inOrder(JSON.parse(found.stdout))).toMatchObject({
    sessions: 2 * kinds.length + 2,
    healthy: true,
    damaged: byId(damaged(() => ({}))),
  });
  expect(await bytesOf(join(cwd, "store")), "looking harms nothing").toEqual(before);

  const fixed = await sessions(["doctor", "--fix", "--yes", "--json", ...STORE], { cwd });
  expect(fixed.code, "some could not be saved").toBe(4);
  const status = ({ saved }: Damage): object => ({
    repaired: { status: saved.length === 0 ? "put-away" : "restored", messages: saved.length || undefined },
  });
  expect(inOrder(JSON.parse(fixed.stdout))).toMatchObject({
    damaged: byId(damaged((each) => JSON.parse(JSON.stringify(status(each))))),
  });
  const kept = [...(await bytesOf(join(cwd, "store/quarantine"))).values()];
  await using store = await openJsonFileStore({ root: join(cwd, "store") });
  for (const [at, { name, saved }] of kinds.entries()) {
    const id = `s${at}`;
    expect((await store.getChatHistory(id)).map((message) => message.id).toSorted(), name).toEqual(
      idsOf(saved),
    );
    if (at < damages.length)
      expect(kept, `${name}: every byte is kept`).toContain(
        before.get(join(cwd, `store/sessions/${id}/1.jsonl`)),
      );
    if (saved.length === 0) continue;
    // Which life it was is in its first commit.
    const forks = saved.includes(1) ? [`fork-of-${id}`] : [];
    expect(
      (await store.getChildren(id)).map((fork) => fork.id),
      `${name}: its fork finds it`,
    ).toEqual(forks);
    await store.addMessage(id, { role: "user", content: "goes on" });
  }
  expect(await store.getChatHistory("bystander")).toHaveLength(MESSAGES);
  await store.close();
  const again = await sessions(["doctor", "--json", ...STORE], { cwd });
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ damaged: [] });
});

interface Found {
  readonly damaged: readonly { readonly sessionId: string }[];
  readonly benign: readonly { readonly sessionId: string }[];
}

function isFound(value: unknown): value is Found {
  return typeof value === "object" && value !== null && "damaged" in value && "benign" in value;
}

function byId<Each extends object>(all: readonly Each[]): readonly Each[] {
  const idOf = (each: object): string => String("sessionId" in each ? each.sessionId : "");
  return all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

test("doctor reports traces of crashes as benign, and --fix has nothing to do", async () => {
  const cwd = await damagedStore(traces);
  const before = await bytesOf(join(cwd, "store"));
  const [found] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd });
  expect(found).toMatchObject({ sessions: 2 * traces.length + 2, damaged: [] });
  expect(await bytesOf(join(cwd, "store"))).toEqual(before);
});

test("doctor reports a journal that is gone, and leaves it to a backup", async () => {
  const cwd = await damagedStore([gone]);
  const [found] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd }, 4);
  expect(found).toMatchObject({ damaged: [{ sessionId: "s0", repaired: { status: "put-away" } }] });
});

test("a session of which nothing can be read is put away with exit code 4; later runs are green and mention the quarantine", async () => {
  const cwd = await damagedStore([gone]);
  const quarantine = join(cwd, "store/quarantine");
  const fixed = await sessions(["doctor", "--fix", "--yes", ...STORE], { cwd });
  expect(fixed.code).toBe(4);
  expect(fixed.stdout).toContain("Damaged: s0\n");
  expect(oneLine(fixed.stdout)).toContain(`Nothing of it can be read. Its bytes are in ${quarantine}/s0-`);
  expect(oneLine(fixed.stderr)).toContain("1 session could not be repaired completely");
  const kept = await readdir(quarantine);
  expect(kept.every((name) => name.startsWith("s0-"))).toBe(true);

  const later = await sessions(["doctor", ...STORE], { cwd });
  expect(later.code, "what is left is sound").toBe(0);
  expect(oneLine(later.stdout)).toBe(
    `${quarantine} has ${kept.length} folders of damaged sessions and of copies that repairs made first. No command reads them. All 3 sessions are sound. `,
  );
  const [told] = await sessionsJson(["doctor", ...STORE], { cwd });
  expect(told).toMatchObject({ damaged: [], quarantine: { folder: quarantine, entries: kept.length } });
  await using store = await openJsonFileStore({ root: join(cwd, "store") });
  expect(await store.addMessage("s0", { role: "user", content: "anew" })).toMatchObject({ revision: 1 });
});

test("a repair that loses nothing ends with exit code 0, and one that loses a commit with 4", async () => {
  const one = (name: string): readonly Damage[] => damages.filter((damage) => damage.name === name);
  const whole = await damagedStore(one("two lines swapped"));
  const [restored] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd: whole });
  expect(restored).toMatchObject({ damaged: [{ repaired: { status: "restored", whole: true, lost: [] } }] });
  const partly = await damagedStore(one("a line removed"));
  const [rest] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd: partly }, 4);
  expect(rest).toMatchObject({
    damaged: [{ repaired: { status: "restored", whole: false, lost: [{ revision: 3 }] } }],
  });
  expect((await sessions(["doctor", ...STORE], { cwd: partly })).code).toBe(0);
});

test("doctor without --json says in plain words what happened and what was saved", async () => {
  const cwd = await damagedStore(damages.slice(0, 1));
  const found = await sessions(["doctor", ...STORE], { cwd });
  expect(found.stdout).toMatch(/^Damaged: s0\n {2}a line has a wrong checksum, in .* at byte \d+\n/);
  expect(found.stdout).toContain("At least 2 messages are intact.");
  expect(found.stdout).toContain("3 of 4 sessions are sound.");
  expect(found.stderr).toContain("1 session is damaged. --fix saves what can be saved.");
  const fixed = await sessions(["doctor", "--fix", "--yes", ...STORE], { cwd });
  expect(oneLine(fixed.stdout)).toMatch(
    /Saved 5 messages\. 3 commits behind the damage could be saved too\. 1 commit is lost: revision 3 \(\S+\)\. The damaged bytes are in /,
  );
  const kept = await readdir(join(cwd, "store/quarantine"));
  expect(kept).toHaveLength(2);
  for (const folder of kept)
    expect(fixed.stdout, "both folders are named").toContain(join(cwd, "store/quarantine", folder));
});

test("one damaged line of three turns costs its own commit, and doctor names it", async () => {
  const cwd = await temporaryFolder();
  const root = join(cwd, "store");
  const store = await openJsonFileStore({ root });
  for (const name of ["a", "b", "c"]) {
    await store.runTurn("s", { messages: { role: "user", content: `${name}?` } }, async (turn) => {
      for (const n of [1, 2, 3, 4]) await turn.append({ role: "assistant", content: `${name}${n}` });
      return [];
    });
  }
  await store.close();
  const path = join(root, "sessions/s/1.jsonl");
  await writeFile(path, (await readFile(path, "utf8")).replace('"a2"', '"a9"'));
  const [found] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd }, 4);
  expect(found).toMatchObject({
    damaged: [
      {
        sessionId: "s",
        repaired: {
          status: "restored",
          messages: 14,
          lost: [{ revision: 3, commitId: expect.any(String), reason: "it cannot be read" }],
        },
      },
    ],
  });
  await using again = await openJsonFileStore({ root });
  expect((await again.getSession("s"))?.revision).toBeGreaterThanOrEqual(18);
});

test("doctor ignores files that belong to no session, and puts away what stands where a session should be", async () => {
  const cwd = await temporaryFolder();
  const root = join(cwd, "store");
  const store = await openJsonFileStore({ root });
  await store.addMessage("sound", { role: "user", content: "hello" });
  await store.close();
  await writeFile(join(root, "sessions/.DS_Store"), "x");
  await mkdir(join(root, "sessions/folder/1.jsonl"), { recursive: true });
  await writeFile(join(root, "sessions/file"), "x");
  await symlink("/nowhere/at/all", join(root, "sessions/link"));
  const damaged = ["file", "folder", "link"].map((sessionId) => ({ sessionId, status: "damaged" }));
  const [found] = await sessionsJson(["doctor", ...STORE], { cwd }, 4);
  expect(isFound(found) && { ...found, damaged: byId(found.damaged) }).toMatchObject({
    sessions: 4,
    damaged,
  });
  const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", ...STORE], { cwd }, 4);
  expect(isFound(fixed) && { ...fixed, damaged: byId(fixed.damaged) }).toMatchObject({
    damaged: damaged.map((each) => ({ ...each, repaired: { status: "put-away" } })),
  });
  const [again] = await sessionsJson(["doctor", ...STORE], { cwd });
  expect(again).toMatchObject({ sessions: 1, damaged: [] });
});

test.each(["file:./store", "sqlite:./store.db"])(
  "doctor finds nothing in a healthy store: %s",
  async (url) => {
    const cwd = await temporaryFolder();
    await using store = url.startsWith("file")
      ? await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" })
      : await openSqliteStore({ path: join(cwd, "store.db") });
    await fillCorpus(store, 60);
    const [found] = await sessionsJson(["doctor", "--store", url], { cwd });
    expect(found).toMatchObject({ healthy: true, sessions: 60, benign: [], damaged: [] });
    const { code, stdout } = await sessions(["doctor", "--store", url], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "All 60 sessions are sound.\n" });
  },
);

test("doctor counts no, one and several sessions in whole sentences", async () => {
  const cwd = await temporaryFolder();
  await using store = await openJsonFileStore({ root: join(cwd, "store") });
  const printed = async (): Promise<string> => (await sessionsHere(["doctor", ...STORE], { cwd })).stdout;
  expect(await printed()).toBe("There are no sessions.\n");
  await store.addMessage("s", { role: "user", content: "hello" });
  expect(await printed()).toBe("1 session is sound.\n");
  await store.addMessage("t", { role: "user", content: "hello" });
  expect(await printed()).toBe("All 2 sessions are sound.\n");
});

test("doctor saves what can be read of a session with damaged SQLite rows beside that session", async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, "store.db");
  const store = await openSqliteStore({ path });
  for (const id of ["bystander", "s", "t"])
    for (let n = 1; n <= MESSAGES; n++)
      await store.addMessage(id, { id: `${id}${n}`, role: "user", content: `message ${n}` });
  await store.close();
  const file = await readFile(path);
  await spoil(path, file);
  const url = ["--store", "sqlite:./store.db"];
  const [found] = await sessionsJson(["doctor", ...url], { cwd }, 4);
  const saved = MESSAGES - 1;
  expect(found).toMatchObject({ sessions: 3, damaged: [{ sessionId: "s", messages: saved }] });
  const [fixed] = await sessionsJson(["doctor", "--fix", "--yes", ...url], { cwd }, 4);
  expect(fixed).toMatchObject({
    damaged: [{ repaired: { status: "saved", whole: false, savedAs: "s.salvaged", messages: 5 } }],
  });
  await using again = await openSqliteStore({ path });
  expect((await again.getChatHistory("s.salvaged")).map(({ id }) => id)).toEqual([
    "s1",
    "s2",
    "s4",
    "s5",
    "s6",
  ]);
  expect(await again.getChatHistory("bystander")).toHaveLength(MESSAGES);
});

/** Changes one letter of one message, in the file itself. */
async function spoil(path: string, file: Buffer): Promise<void> {
  const at = file.indexOf("s3");
  const near = file.indexOf("message 3", Math.max(0, at - 200));
  file[near] = 0x4d;
  await writeFile(path, file);
}
