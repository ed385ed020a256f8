import type { JsonObject, Message } from "@sessions/protocol";
import type { AgentEvent, RunnerTurn } from "@sessions/turn-runner";
import { EndpointError, type OpenAICompatibleOptions, openaiCompatibleRunner } from "../src/index.js";

let messages = 0;

/** A stored message. */
export function message(role: string, content: Message["content"], more: JsonObject = {}): Message {
  return {
    id: `message-${++messages}`,
    role,
    ...(content === undefined ? {} : { content }),
    createdAt: 0,
    ...more,
  };
}

/** A turn with one prompt by default. */
export function turnOf(given: Partial<RunnerTurn> = {}): RunnerTurn {
  return {
    sessionId: "session-1",
    turnId: "turn-1",
    messages: [message("user", "Hello.")],
    context: { tokens: 10, omitted: { archiveIds: [], messages: 0 } },
    signal: new AbortController().signal,
    config: { model: "test-model" },
    state: {},
    ...given,
  };
}

/** The events of a turn, and the error after them. */
export interface TurnOutcome {
  readonly events: readonly AgentEvent[];
  readonly error: unknown;
  readonly text: string;
}

/** Reads all events of a turn, and its error. */
export async function listen(
  turn: AsyncIterable<AgentEvent>,
  heard: (event: AgentEvent) => void = () => undefined,
): Promise<TurnOutcome> {
  const events: AgentEvent[] = [];
  const error = await (async () => {
    for await (const event of turn) {
      events.push(event);
      heard(event);
    }
  })().catch((thrown: unknown) => thrown);
  return {
    events,
    error,
    text: events.map((event) => (event.type === "text-delta" ? event.text : "")).join(""),
  };
}

/** Runs one turn and reads all its events. */
export function answer(
  options: OpenAICompatibleOptions,
  turn: Partial<RunnerTurn> = {},
): Promise<TurnOutcome> {
  return listen(openaiCompatibleRunner(options)(turnOf(turn)));
}

/** The error of a turn. Throws if it is no `EndpointError`. */
export function endpointError({ error }: TurnOutcome): EndpointError {
  if (EndpointError.is(error)) return error;
  throw new Error("There is no EndpointError.", { cause: error });
}
