import { PausedProcess } from "@sessions/conformance/multi-process";
import type { Message, SessionStore } from "@sessions/protocol";
import { answerTextOf, historyProblems, OtherProcess, SCRIPT, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import { createManagedAgent, followTurn } from "../src/index.js";
import { folderPlace } from "./folder-place.js";
import { scripted } from "./scripted-runner.js";

const TURNS = 6;
const isDone = (line: object): boolean => "done" in line;

function producer(root: string, name: string, options: object): OtherProcess {
  const turnIds = Array.from({ length: TURNS }, (_, n) => `${name}-${n}`);
  return new OtherProcess(new URL("./producer.mjs", import.meta.url), {
    root,
    sessionId: "s",
    turnIds,
    script: SCRIPT,
    paceMs: 1,
    ...options,
  });
}

/** The turns that wrote the messages, in order; one that comes back after another is listed twice. */
function runs(messages: readonly Message[]): readonly unknown[] {
  const turnIds = messages.map((message) => message.metadata?.["turnId"]);
  return turnIds.filter((turnId, index) => turnId !== turnIds[index - 1]);
}

test("turns of two processes run one after the other", async () => {
  const root = await temporaryFolder();
  const store = await folderPlace(root).open();
  const first = producer(root, "a", { queue: { waitMs: 50_000 }, holdAt: 3 });
  await first.until((line) => "holds" in line);
  const both = [first, producer(root, "b", { queue: { waitMs: 50_000 } })];
  await expect.poll(async () => (await store.getSession("s"))?.turn?.waiting, { timeout: 30_000 }).toBe(1);
  first.writeLine("go on");
  for (const one of both) await one.until(isDone);
  const ended = both.flatMap((one) => one.lines.flatMap((line) => line["ended"] ?? []));
  expect(ended).toEqual(Array.from({ length: 2 * TURNS }, () => "completed"));

  const session = await store.getSession("s");
  expect(runs(session?.messages ?? [])).toHaveLength(2 * TURNS);
  expect(new Set(runs(session?.messages ?? [])).size).toBe(2 * TURNS);
  expect(historyProblems(session?.messages ?? [])).toEqual([]);
  expect(session?.counters).toEqual({ turns: 2 * TURNS, inputTokens: 20 * TURNS, outputTokens: 10 * TURNS });
  for (const one of both) await one.end();
});

test("without waitMs, the second of two turns is refused and stores nothing", async () => {
  const root = await temporaryFolder();
  const first = producer(root, "a", { turnIds: ["a"], holdAt: 5 });
  await first.until((line) => "holds" in line);
  const second = producer(root, "b", { turnIds: ["b"] });
  await second.until(isDone);
  expect(second.lines.flatMap((line) => line["ended"] ?? [])).toEqual(["TURN_BUSY"]);
  first.writeLine("go on");
  await first.until(isDone);
  const third = producer(root, "c", { turnIds: ["b"] });
  await third.until(isDone);

  const session = await (await folderPlace(root).open()).getSession("s");
  expect(runs(session?.messages ?? [])).toEqual(["a", "b"]);
  expect(historyProblems(session?.messages ?? [])).toEqual([]);
  expect(session?.counters["turns"]).toBe(2);
  for (const one of [first, second, third]) await one.end();
});

test("a producer that was paused for longer than its lease changes nothing any more", async () => {
  const root = await temporaryFolder();
  const store = await folderPlace(root).open();
  const late = producer(root, "late", {
    turnIds: ["late"],
    holdAt: 9,
    ttlMs: 2000,
    checkpoint: { everyMs: 10 },
  });
  await late.until((line) => "holds" in line);
  const paused = await PausedProcess.stop(late.pid);
  late.writeLine("go on"); // it will, as soon as it can
  await cutOff(store);

  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner: scripted() });
  await agent.execute("Are you there?", { turnId: "next" });
  const before = await store.getSession("s");
  await paused.resume();
  const ended = await late.until((line) => "ended" in line);
  expect(ended).toMatchObject({ turnId: "late", ended: "TURN_LOST" });
  expect(["expired", "taken-over", "ended"]).toContain(ended["reason"]);
  expect(await store.getSession("s")).toEqual(before);
  expect(runs(before?.messages ?? [])).toEqual(["late", "next"]);
  expect(historyProblems(before?.messages ?? [])).toEqual([]);
  await late.end();
});

test("interrupt stops a turn of another process: its answer stays, and its open calls are answered", async () => {
  const root = await temporaryFolder();
  const store = await folderPlace(root).open();
  const other = producer(root, "other", { turnIds: ["other"], holdAt: 5 });
  await other.until((line) => "holds" in line);
  const agent = createManagedAgent({ store, sessionId: "s", config: {}, runner: scripted() });
  expect(await agent.interrupt()).toBe(true);
  const ended = await other.until((line) => "ended" in line);
  expect(ended).toMatchObject({ turnId: "other", ended: "TURN_LOST", reason: "interrupted" });

  const session = await store.getSession("s");
  expect(session?.lastTurn).toMatchObject({ turnId: "other", outcome: "interrupted" });
  const [, answer, ...results] = session?.messages ?? [];
  expect(answer).toMatchObject({ role: "assistant", status: "interrupted" });
  expect(answerTextOf(session?.messages ?? [])).toBe("Let me look. ");
  expect(results).toMatchObject([
    { content: [{ toolCallId: "call-1", output: { type: "error-text" } }] },
    { content: [{ toolCallId: "call-2", output: { type: "error-text" } }] },
  ]);
  await other.end();
});

async function cutOff(store: SessionStore): Promise<void> {
  for await (const event of followTurn(store, "s"))
    if (event.type === "turn-ended") expect(event.outcome).toBe("cut-off");
}
