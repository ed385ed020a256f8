import type { JsonObject, Message } from "@sessions/json-file";
import type { AgentEvent, RunnerTurn } from "@sessions/managed-agent";
import { builtInModel } from "../../src/built-in-model/built-in-model.js";
import { chatTools } from "../../src/tools/chat-tools.js";

/** The built-in model with a fixed clock. */
export const model = (delayMs = 0) =>
  builtInModel({ tools: chatTools(() => new Date("2024-05-17T12:30:00Z")), delayMs });

/** A turn in which the user has said `said`, the last of it now. */
export function turnWith(said: readonly string[], more: Partial<RunnerTurn> = {}): RunnerTurn {
  const messages = said.map(
    (content, at): Message => ({
      id: `m${at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      content,
      createdAt: at,
    }),
  );
  return {
    sessionId: "s",
    turnId: "t",
    messages,
    context: { tokens: 0, omitted: { archiveIds: [], messages: 0 } },
    signal: new AbortController().signal,
    config: {},
    state: {},
    ...more,
  };
}

export async function eventsOf(turn: RunnerTurn): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of model()(turn)) events.push(event);
  return events;
}

export const textIn = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

/** What it says when all that was ever said is `said`. */
export const said = async (...words: readonly string[]): Promise<string> =>
  textIn(await eventsOf(turnWith(words)));

/** The state after a turn. */
export function stateAfter(state: JsonObject, events: readonly AgentEvent[]): JsonObject {
  const patches = events.map((event) => (event.type === "state" ? event.patch : {}));
  const all: JsonObject = Object.assign({}, state, ...patches);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
