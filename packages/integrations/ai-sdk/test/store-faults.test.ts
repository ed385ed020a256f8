import type { SessionStore } from "@sessions/protocol";
import type { UIMessage, UIMessageChunk } from "ai";
import { FAULT_CODES, failingStore, Gate, refuseUnhandledRejections, type StoreFault } from "test-tools";
import { describe, expect, test, vi } from "vitest";
import { type ChatHandlers, createChatHandlers, loadChat } from "../src/index.js";
import { chatRequest, chunksIn, postRequest, textIn } from "./requests.js";

refuseUnhandledRejections();

/** Long enough for a loaded machine. A turn that could not be ended keeps a test waiting for this long. */
const TTL_MS = 4000;
const ANSWER: readonly UIMessageChunk[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
  { type: "text-end", id: "1" },
  // Saved at once: a checkpoint in the middle of the answer.
  { type: "tool-input-available", toolCallId: "c1", toolName: "clock", input: {} },
  { type: "tool-output-available", toolCallId: "c1", output: 12 },
];

function handlersOn(store: SessionStore, gate?: Gate): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    ttlMs: TTL_MS,
    checkpoint: { everyMs: 1_000_000, everyChars: 1_000_000 },
    async *respond() {
      yield* ANSWER;
      await gate?.passed;
    },
  });
}

/** The page does not notice a busy store. Only after a lost turn it asks again. */
const triesAfter = (fault: StoreFault | undefined): number => (fault?.code === "TURN_LOST" ? 3 : 1);

/** Asks, and asks again while the page gets an error. */
async function ask({ handlers, tries }: Asking, request: () => Request): Promise<string> {
  for (let left = tries; ; left--) {
    const response = await handlers.post(request());
    const chunks = response.ok ? await chunksIn(response) : [];
    if (chunks.at(-1)?.type === "finish") return textIn(chunks);
    if (left === 1) return `${response.status} ${chunks.at(-1)?.errorText}`;
  }
}

/** The response of a route, requested again while it is an error of the server. */
async function call({ tries }: Asking, route: () => Promise<Response>): Promise<Response> {
  for (let left = tries; ; left--) {
    const response = await route();
    if (response.status < 500 || left === 1) return response;
  }
}

const streamRequest = (): Request => new Request("http://localhost/api/chat/c/stream?since=0");

/** The text of the stream of an answer, asked for again if it fails. */
async function follow(asking: Asking): Promise<string> {
  for (let left = asking.tries; ; left--) {
    const chunks = await chunksIn(await call(asking, () => asking.handlers.resume(streamRequest())));
    if (chunks.at(-1)?.type === "finish" || left === 1) return `${textIn(chunks)} ${chunks.at(-1)?.type}`;
  }
}

function edit(): Request {
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Hi there." }] };
  return new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "c", messages: [message], messageId: "m1" }),
  });
}

interface Asking {
  readonly handlers: ChatHandlers;
  readonly tries: number;
  /** Holds an answer that is being written. */
  readonly gate: Gate;
}

interface Scenario {
  readonly name: string;
  /** Prepares the chat, through a store that never fails. */
  readonly before?: (sound: ChatHandlers) => Promise<unknown>;
  /** Whether the answer that was begun before waits at the gate. */
  readonly isWaiting?: true;
  readonly run: (asking: Asking) => Promise<unknown>;
  readonly told: unknown;
  readonly texts: readonly string[];
}

const hi = (): Request => postRequest("Hi.");
const TEXTS = ["Hi.", "Hello."];
/** Reads the answer to its end. */
const answered = async (handlers: ChatHandlers): Promise<unknown> => chunksIn(await handlers.post(hi()));

const SCENARIOS: readonly Scenario[] = [
  { name: "a question", run: (asking) => ask(asking, hi), told: "Hello.", texts: TEXTS },
  {
    name: "a question asked again",
    before: answered,
    run: (asking) => ask(asking, hi),
    told: "Hello.",
    texts: TEXTS,
  },
  {
    name: "an edit",
    before: answered,
    run: (asking) => ask(asking, edit),
    told: "Hello.",
    texts: ["Hi there.", "Hello."],
  },
  {
    name: "another question",
    before: answered,
    run: (asking) => ask(asking, () => postRequest("And?", "m2")),
    told: "Hello.",
    texts: [...TEXTS, "And?", "Hello."],
  },
  {
    name: "an edit of a question whose answer is being written",
    isWaiting: true,
    run: async (asking) => {
      const text = ask(asking, edit);
      asking.gate.open();
      return text;
    },
    told: "Hello.",
    texts: ["Hi there.", "Hello."],
  },
  {
    name: "a load",
    before: answered,
    run: async (asking) => {
      const response = await call(asking, () => asking.handlers.load(chatRequest(), "c"));
      return response.ok ? JSON.parse(await response.text()).messages.length : response.status;
    },
    told: 2,
    texts: TEXTS,
  },
  {
    name: "the stream of an answer that has ended",
    before: answered,
    run: follow,
    told: "Hello. finish",
    texts: TEXTS,
  },
  {
    name: "the stream of an answer that is being written",
    isWaiting: true,
    run: async (asking) => {
      const text = follow(asking);
      asking.gate.open();
      return text;
    },
    told: "Hello. finish",
    texts: TEXTS,
  },
  {
    name: "a stop",
    isWaiting: true,
    run: async (asking) => (await call(asking, () => asking.handlers.stop(chatRequest(), "c"))).status,
    told: 200,
    texts: TEXTS,
  },
];

/** What a page gets with this fault, the chat after it, and the calls that the store got. */
async function play({ before, isWaiting, run }: Scenario, fault?: StoreFault) {
  const { store, sound, calls } = failingStore(fault);
  const gate = new Gate();
  const writing = isWaiting === true ? handlersOn(sound, gate).post(hi()) : undefined;
  if (writing !== undefined) await gate.reached;
  await before?.(handlersOn(sound));
  const told = await run({ handlers: handlersOn(store), tries: triesAfter(fault), gate });
  if (writing !== undefined) await (await writing).text();
  // A turn that could not be released is not renewed, and ends with its lease.
  const over = async (): Promise<void> => {
    if ((await sound.getSession("c"))?.turn?.status === "running")
      throw new Error("The turn is still running.");
  };
  await vi.waitFor(over, { timeout: 30_000 });
  const { messages, isAnswering } = await loadChat(sound, "c");
  const texts = messages.map(({ parts }) => parts.map(textOfPart).join(""));
  return { calls, told, texts, isAnswering };
}

const textOfPart = (part: UIMessage["parts"][number]): string => (part.type === "text" ? part.text : "");

/** Every way in which one of these calls can fail. */
function faultsIn(calls: readonly string[]): readonly StoreFault[] {
  const whens = ["before", "after"] as const;
  return calls.flatMap((_, call) =>
    FAULT_CODES.flatMap((code) => whens.map((when) => ({ call, when, code }))),
  );
}

describe.concurrent("whichever call of the store fails once, a page gets its answer, and it is stored once", () => {
  test.each(SCENARIOS)("$name", async (scenario) => {
    const { calls } = await play(scenario);
    const faults = faultsIn(calls);
    const right = { told: scenario.told, texts: scenario.texts, isAnswering: false };
    const played = faults.map(async (fault) => {
      const { told, texts, isAnswering } = await play(scenario, fault);
      return { ...fault, what: calls[fault.call], told, texts, isAnswering };
    });
    const outcomes = await Promise.all(played);
    expect(outcomes).toEqual(faults.map((fault) => ({ ...fault, what: calls[fault.call], ...right })));
    console.info(`${scenario.name}: ${faults.length} combinations of ${calls.length} calls`);
  });
});
