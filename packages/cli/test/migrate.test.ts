import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { openStore } from "@sessions/config";
import { adopt, type SessionStore } from "@sessions/protocol";
import { expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { type DurableStore, durableStores } from "./durable-stores.js";
import { sessions, sessionsJson, started, temporaryFolder } from "./run-sessions.js";

/** So many that none of the kills comes too late: changes are seen some time after they were made. */
const SESSIONS = 200;
const KILLS = 6;

/** From each kind of store to the next, round and round. */
const ways = [...durableStores, ...durableStores.slice(0, 1)].flatMap((to, at, all) => {
  const from = all[at - 1];
  return from === undefined ? [] : [{ from, to, name: `${from.kind} to ${to.kind}` }];
});

interface Way {
  readonly from: DurableStore;
  readonly to: DurableStore;
}

async function places({
  from,
  to,
}: Way): Promise<{ readonly cwd: string; readonly source: string; readonly target: string }> {
  const cwd = await temporaryFolder();
  return { cwd, source: from.url(cwd, "source"), target: to.url(cwd, "target") };
}

async function filled(url: string, count: number): Promise<SessionStore> {
  const store = await openStore(url);
  await fillCorpus(store, count);
  return store;
}

/** Resolves when so many changes of a store were seen. */
async function changes(store: SessionStore, count: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  for await (const _ of store.watch({ signal })) if (++seen === count) return;
}

test.each(ways)(
  "a migration that is killed again and again and resumed ends with equal stores: $name",
  async (way) => {
    const { cwd, source, target } = await places(way);
    await (await filled(source, SESSIONS)).close();
    await using watched = await openStore(target);
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const stop = new AbortController();
      const point = 1 + Math.floor(Math.random() * (SESSIONS / KILLS / 3));
      const reached = changes(watched, point, stop.signal);
      const run = started(["migrate", source, target, "--concurrency", "1"], { cwd });
      await Promise.race([reached, run.ended]);
      run.process.kill("SIGKILL");
      const { code } = await run.ended;
      stop.abort();
      if (code === null) killed++;
    }
    expect(killed, "most of them before it was done").toBeGreaterThan(KILLS / 2);
    const [result] = await sessionsJson(["migrate", source, target], { cwd });
    expect(result).toMatchObject({
      conflicts: [],
      damaged: [],
      verified: { sessions: SESSIONS, different: [] },
    });
    if (!isCounted(result)) throw new Error("it tells no counts");
    expect(result.same, "it went on where it was").toBeGreaterThan(0);
    expect(result.copied + result.same).toBe(SESSIONS);
    const [again] = await sessionsJson(["migrate", source, target], { cwd });
    expect(again, "and once more there is nothing to do").toMatchObject({
      copied: 0,
      updated: 0,
      same: SESSIONS,
    });
  },
);

function isCounted(value: unknown): value is { readonly copied: number; readonly same: number } {
  return typeof value === "object" && value !== null && "copied" in value && "same" in value;
}

test.each(ways)(
  "--follow keeps the target in step under load, and is equal at cut-over: $name",
  async (way) => {
    const { cwd, source, target } = await places(way);
    await using store = await filled(source, 30);
    const load = new AbortController();
    const writers = [0, 1, 2].map((n) => write(store, n, load.signal));
    const run = started(["migrate", source, target, "--follow", "--json"], { cwd });
    await run.shows("Following the source");
    await using copy = await openStore(target);
    const stop = new AbortController();
    await changes(copy, 30, stop.signal);
    stop.abort();
    load.abort();
    await Promise.all(writers);
    await store.deleteSession("s0"); // nobody writes any more, and the target must hear of it
    run.process.kill("SIGINT");
    const { code, stdout, stderr } = await run.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const result: unknown = JSON.parse(stdout);
    expect(result).toMatchObject({ conflicts: [], damaged: [], verified: { different: [] } });
    expect(await copy.sessionExists("s0")).toBe(false);
    expect(await copy.sessionExists("made-0-0")).toBe(true);
    expect(await copy.exportSession("made-0-0")).toMatchObject({
      session: { messages: (await store.exportSession("made-0-0")).session.messages },
    });
  },
);

/** Writes everything that changes: appends, turns with drafts, forks, archives, deletions, and ids that come back. */
async function write(store: SessionStore, n: number, signal: AbortSignal): Promise<void> {
  for (let at = 0; !signal.aborted || at < 8; at++) {
    await setTimeout(10); // a load, not a flood: a store that grows faster than it can be copied never is
    const id = `made-${n}-${at % 8}`;
    await store.addMessage(id, { role: "user", content: `${n} ${at}` }, { commitId: `c-${n}-${at}` });
    await store.runTurn(id, {}, async (turn) => {
      await turn.append({ id: `draft-${at}`, role: "assistant", content: "", status: "partial" });
      for (const text of ["a ", "b ", "c"]) await turn.extend(`draft-${at}`, { text });
      return [{ op: "extend", messageId: `draft-${at}`, status: "complete" } as const];
    });
    if (at % 3 === 0) await store.forkSession(id, { newId: `fork-${n}-${at}` });
    if (at % 4 === 0) await store.archiveMessages(id, { keepRecent: 1 });
    if (at % 5 === 4) await store.deleteSession(`made-${n}-4`);
  }
}

test.each(ways)("a migration never overwrites what others wrote into the target: $name", async (way) => {
  const { cwd, source, target } = await places(way);
  await using from = await openStore(source);
  await using to = await openStore(target);
  for (const id of ["theirs", "ahead", "behind"])
    await from.addMessage(id, { id: "m", role: "user", content: "source" });
  await to.addMessage("theirs", { id: "m", role: "user", content: "target" });
  await to.addMessage("only-there", { role: "user", content: "target" });
  for (const id of ["ahead", "behind"]) await to.importSession(await from.exportSession(id));
  await to.addMessage("ahead", { role: "user", content: "target" });
  await from.addMessage("behind", { role: "user", content: "source" });
  const [result] = await sessionsJson(["migrate", source, target], { cwd }, 5);
  expect(result).toMatchObject({ updated: 1, conflicts: [{ sessionId: "ahead" }, { sessionId: "theirs" }] });
  expect((await to.getChatHistory("theirs")).map(({ content }) => content)).toEqual(["target"]);
  expect(await to.getChatHistory("ahead")).toHaveLength(2);
  expect(await to.getChatHistory("behind")).toHaveLength(2);
  expect(await to.sessionExists("only-there")).toBe(true);
});

test.each(ways)("migrate --dry-run writes nothing: $name", async (way) => {
  const { cwd, source, target } = await places(way);
  await (await filled(source, 10)).close();
  const [absent] = await sessionsJson(["migrate", source, target, "--dry-run"], { cwd });
  expect(absent).toMatchObject({ dryRun: true, copied: 10 });
  await using to = await openStore(target);
  const [empty] = await sessionsJson(["migrate", source, target, "--dry-run"], { cwd });
  expect(empty).toMatchObject({ dryRun: true, copied: 10, updated: 0 });
  expect((await to.listSessions()).items).toEqual([]);
});

test("migrate reports a copy that differs from its source", async () => {
  const [way] = ways;
  if (way === undefined) throw new Error("there are not two kinds of store");
  const { cwd, source, target } = await places(way);
  const from = await filled(source, 5);
  await from.close();
  await sessionsJson(["migrate", source, target], { cwd });
  await using to = await openStore(target);
  const { session } = await to.exportSession("s0");
  // The same revision with other content: only a comparison of everything can see it.
  const spoilt = { ...session, title: "not what it was" };
  await to.deleteSession("s0");
  await to.commit("s0", { op: "create", document: spoilt });
  const { revision } = await to.exportSession("s0").then((bundle) => bundle.session);
  await using again = await openStore(source);
  await again.commit("s0", adopt({ ...session, revision }), { ifRevision: session.revision });
  const { code, stdout } = await sessions(["migrate", source, target, "--json"], { cwd });
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ verified: { different: ["s0"] } });
});

test("migrate names a damaged session and copies the others", async () => {
  const cwd = await temporaryFolder();
  const store = await filled(`file:${cwd}/source`, 10);
  await store.close();
  await writeFile(`${cwd}/source/sessions/s0/1.jsonl`, "notes\n");
  const [result] = await sessionsJson(["migrate", "file:./source", "sqlite:./target.db"], { cwd }, 4);
  expect(result).toMatchObject({
    copied: 9,
    damaged: [{ sessionId: "s0" }],
    verified: { sessions: 9, different: [] },
  });
});
