import { join } from "node:path";
import { append, type MessageInput, type SessionStore } from "@sessions/protocol";
import { atLeast, atMost } from "../bar.js";
import { ensureEqual } from "../ensure-equal.js";
import { longestBlock } from "../longest-block.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const FEW = 50;
const MANY = 1000;
const TURNS_EACH = 3;
const MESSAGES_PER_TURN = 4;
/** A run of many takes seconds, and its figure hardly varies. */
const MAX_RUNS = 3;

/** A store must not become slower because a thousand people talk to it at once. */
export function manyConversations(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: turns per second in ${MANY} conversations at once ÷ in ${FEW}`,
    unit: "×",
    bar: atLeast(0.8),
    async measure({ runs, folder }) {
      const values: number[] = [];
      let few = 0;
      let many = 0;
      for (let run = -1; run < Math.min(runs, MAX_RUNS); run++) {
        few = await turnsPerSecond(under, join(folder, `few-${run}`), FEW);
        many = await turnsPerSecond(under, join(folder, `many-${run}`), MANY);
        if (run >= 0) values.push(many / few); // the first is the warm-up
      }
      const note = `last: ${few.toFixed(0)} and ${many.toFixed(0)} turns/s, rss ${rssMegabytes()} MB`;
      return { values, note };
    },
  };
}

/** The event loop must go on serving everything else meanwhile. */
export function blockInManyConversations(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: longest block of the event loop in ${MANY} conversations at once`,
    unit: "ms",
    bar: atMost(50),
    async measure({ runs, folder }) {
      const values: number[] = [];
      for (let run = -1; run < Math.min(runs, MAX_RUNS); run++) {
        await using store = await under.open(join(folder, String(run)));
        const block = await longestBlock(() => converse(store, MANY));
        if (run >= 0) values.push(block);
      }
      return { values };
    },
  };
}

async function turnsPerSecond(under: StoreUnderTest, folder: string, conversations: number): Promise<number> {
  await using store = await under.open(folder);
  const start = performance.now();
  await converse(store, conversations);
  const seconds = (performance.now() - start) / 1000;
  const last = await store.getSession(`c${conversations - 1}`, { messages: "none" });
  ensureEqual("messages of a conversation", last?.messageCount, TURNS_EACH * MESSAGES_PER_TURN);
  return (conversations * TURNS_EACH) / seconds;
}

function converse(store: SessionStore, conversations: number): Promise<unknown> {
  return Promise.all(
    Array.from({ length: conversations }, async (_, index) => {
      for (let turn = 0; turn < TURNS_EACH; turn++) await takeTurn(store, `c${index}`, turn);
    }),
  );
}

/** A turn of 13 KB, as an agent takes it: a question, what was said before, a tool's call and its result, the answer. */
async function takeTurn(store: SessionStore, id: string, number: number): Promise<void> {
  const toolCallId = `call-${number}`;
  const call = { type: "tool-call", toolCallId, toolName: "search", input: { query: "weather" } };
  const result = { type: "tool-result", toolCallId, toolName: "search", output: text(8000) };
  await store.runTurn(id, { messages: message("user", text(2000)) }, async (turn) => {
    await store.getContext(id, { maxTokens: 8000 });
    await turn.append(message("assistant", [call]));
    await turn.append(message("tool", [result]));
    return append(message("assistant", text(3000)));
  });
}

function message(role: string, content: unknown): MessageInput {
  return { role, content };
}

function text(chars: number): string {
  return "and so on, ".repeat(Math.ceil(chars / 11)).slice(0, chars);
}

function rssMegabytes(): string {
  return (process.memoryUsage().rss / 1e6).toFixed(0);
}
