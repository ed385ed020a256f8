import { setTimeout as pause } from "node:timers/promises";
import type { Session, SessionStore } from "@sessions/protocol";
import { answerTextOf, historyProblems, OtherProcess, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import {
  type AgentEvent,
  createManagedAgent,
  followTurn,
  type RecoverOptions,
  type Runner,
} from "../src/index.js";
import { folderPlace } from "./folder-place.js";
import { LONG_SCRIPT, longRunner, textOfEvents } from "./long-script.js";

const POINTS = 20;
const AT_ONCE = 4;
const EVERY_MS = 100;
/** How long a checkpoint may take on a loaded machine. */
const SLACK_MS = 1000;
const STRATEGIES: readonly RecoverOptions["strategy"][] = ["keep", "retry", "discard"];
const WHOLE = textOfEvents(LONG_SCRIPT);
const USAGE = { inputTokens: 7, outputTokens: 200, turns: 1 };

/** When a process is killed: after it has printed `said` lines, and `delayMs` later. */
interface Point {
  readonly said: number;
  readonly delayMs: number;
  readonly strategy: RecoverOptions["strategy"];
  /** Whether to wait until the lease of the killed process expires, instead of recovering by force. */
  readonly patient: boolean;
}

/** Points that are spread over the whole stream, from before the first checkpoint to about the last commit. */
function points(random: () => number): readonly Point[] {
  return Array.from({ length: POINTS }, (_, n) => ({
    said: Math.min(
      LONG_SCRIPT.length + 1,
      2 + Math.floor(((n + random()) / (POINTS - 1)) * LONG_SCRIPT.length),
    ),
    delayMs: random() * 15,
    strategy: STRATEGIES[n % STRATEGIES.length] ?? "keep",
    patient: n % 10 === 0,
  }));
}

test("a process killed at any point loses at most the text since the last checkpoint, and others go on", async () => {
  const seed = Number(process.env["SESSIONS_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SESSIONS_SEED=${seed}`);
  const all = points(randomOf(seed));
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map((point) => killAndRecover(point)));
}, 120_000);

test("the checks fail for an agent that saves no checkpoints", async () => {
  const point: Point = { said: 280, delayMs: 0, strategy: "keep", patient: false };
  const script = LONG_SCRIPT.filter((event) => !event.type.startsWith("tool"));
  const never = { everyMs: 3_600_000, everyChars: 1_000_000 };
  await expect(killAndRecover(point, { script, checkpoint: never })).rejects.toThrow("behind");
});

async function killAndRecover(point: Point, options: object = {}): Promise<void> {
  const root = await temporaryFolder();
  const killed = await killedAt(point, { root, ...options });
  const store = await folderPlace(root).open();
  const session = await store.getSession("s");
  if (session === undefined) throw new Error("there is no session");
  checkCutOff(session, killed);
  await recovers(store, session, point);
}

/** The events that a process had printed when it was killed. */
interface Killed {
  readonly told: readonly { readonly event: AgentEvent; readonly at: number }[];
  readonly at: number;
}

async function killedAt(point: Point, options: object): Promise<Killed> {
  const producer = new OtherProcess(new URL("./producer.mjs", import.meta.url), {
    sessionId: "s",
    turnIds: ["t1"],
    script: LONG_SCRIPT,
    paceMs: 8,
    checkpoint: { everyMs: EVERY_MS },
    ttlMs: point.patient ? 3000 : 60_000,
    ...options,
  });
  await producer.untilLines(point.said);
  await pause(point.delayMs);
  const at = Date.now();
  await producer.kill();
  const told = producer.lines.flatMap((line) => (isTold(line) ? [line] : []));
  return { told, at };
}

function isTold(line: object): line is { readonly event: AgentEvent; readonly at: number } {
  return "event" in line;
}

function checkCutOff(session: Session, { told, at }: Killed): void {
  expect(session.messages.filter((message) => message.role === "user")).toMatchObject([
    { content: "Question of t1" },
  ]);
  const said = answerTextOf(session.messages);
  expect(textOfEvents(told.map(({ event }) => event)).startsWith(said)).toBe(true);
  const due = textOfEvents(
    told.filter((line) => line.at < at - EVERY_MS - SLACK_MS).map(({ event }) => event),
  );
  if (!said.startsWith(due)) throw new Error(`behind: "${said.slice(-40)}" after "${due.slice(-40)}"`);
}

async function recovers(store: SessionStore, cut: Session, { strategy, patient }: Point): Promise<void> {
  let isAcceptable = true;
  const runner: Runner = (turn) => {
    isAcceptable = isAcceptable && historyProblems(turn.messages).length === 0;
    return longRunner(turn);
  };
  const agent = createManagedAgent({ store, runner, config: {} });
  const resumed = await agent.resume("s");
  expect(resumed.config).toEqual({ name: "producer" });
  const isWhole = cut.turn === undefined;
  expect(resumed.cutOff?.turnId).toBe(isWhole ? undefined : "t1");
  if (patient && !isWhole) await leaseIsOver(store);
  const recovery = await agent.recover({ strategy, force: !patient });
  expect(recovery?.strategy).toBe(isWhole ? undefined : strategy);
  checkRecovered(await agent.retrieveSession("s"), cut, isWhole ? "nothing" : strategy);

  expect((await agent.resume("s")).cutOff).toBeUndefined();
  expect(await agent.recover({ strategy })).toBeUndefined();
  const before = (await agent.usage()).turns ?? 0;
  expect(answerTextOf((await agent.execute("And now?")).messages)).toBe(WHOLE);
  expect((await agent.usage()).turns).toBe(before + 1);
  expect(historyProblems((await agent.retrieveSession("s")).messages)).toEqual([]);
  expect(isAcceptable).toBe(true);
}

/** Follows the turn until it ends as cut off, which is when the lease of the killed producer expires. */
async function leaseIsOver(store: SessionStore): Promise<void> {
  for await (const event of followTurn(store, "s"))
    if (event.type === "turn-ended") expect(event.outcome).toBe("cut-off");
}

function checkRecovered(session: Session, cut: Session, done: RecoverOptions["strategy"] | "nothing"): void {
  const { messages, counters } = session;
  expect(session.turn).toBeUndefined();
  expect(historyProblems(messages)).toEqual([]);
  if (done === "discard") {
    expect(messages).toEqual([]);
    expect(counters).toEqual({});
    return;
  }
  expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
  expect(answerTextOf(messages)).toBe(done === "keep" ? answerTextOf(cut.messages) : WHOLE);
  expect(counters).toEqual(done === "keep" ? {} : USAGE);
}

/** Numbers between 0 and 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
