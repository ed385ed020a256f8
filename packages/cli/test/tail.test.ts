import { openStore } from "@sessions/config";
import type { SessionStore } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { durableStores } from "./durable-stores.js";
import { type Started, sessionsHere, started, temporaryFolder } from "./run-sessions.js";

const FOLLOWING = "Following every session. Ctrl-C ends it.";

async function stopped(run: Started): Promise<string> {
  run.process.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  return stdout;
}

/** Writes a draft in pieces, each when the one before was shown. */
async function stream(
  store: SessionStore,
  id: string,
  pieces: readonly string[],
  run?: Started,
): Promise<void> {
  await store.runTurn(id, {}, async (turn) => {
    await turn.append({ id: `draft-of-${id}`, role: "assistant", content: "", status: "partial" });
    for (const [at, text] of pieces.entries()) {
      await turn.extend(`draft-of-${id}`, { text });
      await run?.shows(
        pieces
          .slice(0, at + 1)
          .join("")
          .trimEnd()
          .split("\n")
          .at(-1) ?? "",
      );
    }
    return [{ op: "extend", messageId: `draft-of-${id}`, status: "complete" } as const];
  });
}

describe.each(durableStores)("on $kind", ({ url }) => {
  test("tail -f keeps the spaces between the chunks of a streamed answer, and indents its lines", async () => {
    const cwd = await temporaryFolder();
    const env = { SESSIONS_STORE: url(cwd, "store") };
    await using store = await openStore(url(cwd, "store"));
    await store.addMessage("s", { id: "first", role: "user", content: "hello" });
    const run = started(["tail", "-f", "s"], { cwd, env });
    await run.shows("first");
    await stream(store, "s", ["One ", "two ", "three", " four.\n", "Next ", "line."], run);
    await run.shows("line.\n");
    expect(await stopped(run)).toContain("\n  One two three four.\n  Next line.\n");
  });

  test("tail -f -n 0 shows nothing old, not even when an older message is removed", async () => {
    const cwd = await temporaryFolder();
    const env = { SESSIONS_STORE: url(cwd, "store") };
    await using store = await openStore(url(cwd, "store"));
    const old = ["old-1", "old-2", "old-3"].map((id) => ({ id, role: "user", content: id }));
    await store.addMessage("s", old);
    const run = started(["tail", "-f", "s", "-n", "0"], { cwd, env });
    await heard(run, store, "s", "new");
    await store.removeMessages("s", ["old-3"]);
    await heard(run, store, "s", "newer");
    const shown = await stopped(run);
    for (const { id } of old) expect(shown).not.toContain(id);
  });

  test("tail -f without a session shows the new messages of all sessions, each with its session", async () => {
    const cwd = await temporaryFolder();
    const env = { SESSIONS_STORE: url(cwd, "store") };
    await using store = await openStore(url(cwd, "store"));
    await store.addMessage("there", { id: "old", role: "user", content: "written before" });
    const run = started(["tail", "-f"], { cwd, env });
    await run.shows(FOLLOWING);
    await store.addMessage("there", { id: "new", role: "user", content: "said later" });
    await run.shows("said later");
    await stream(store, "answered", ["An ", "answer ", "in pieces."]);
    await run.shows("An answer in pieces.");
    await store.deleteSession("there");
    await run.shows("was deleted");
    const shown = await stopped(run);
    expect(shown).toMatch(/^there {2}user .* new\n {2}said later\n/m);
    expect(shown).toMatch(/^answered {2}assistant .*\n {2}An answer in pieces\.\n/m);
    expect(shown.match(/An /g), "once, when it is complete").toHaveLength(1);
    expect(shown).not.toContain("written before");
  });
});

/** Adds messages until one of them is shown. A follower that has just started may not see the first ones as new. */
async function heard(run: Started, store: SessionStore, id: string, name: string): Promise<void> {
  let isShown = false;
  const shows = run.shows(name).then(() => {
    isShown = true;
  });
  for (let n = 0; !isShown; n++) {
    await store.addMessage(id, { id: `${name}-${n}`, role: "user", content: `${name} ${n}` });
    await Promise.race([shows, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await shows;
}

test("tail without a session and without -f says what to add", async () => {
  const cwd = await temporaryFolder();
  await (await openStore(`file:${cwd}/store`)).close();
  const ended = await sessionsHere(["tail", "--store", "file:./store"], { cwd });
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("add -f") });
  const counted = await sessionsHere(["tail", "-f", "-n", "3", "--store", "file:./store"], { cwd });
  expect(counted).toMatchObject({ code: 2, stderr: expect.stringContaining("-n needs a session") });
});
