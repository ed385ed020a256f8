import type { JsonObject, Message } from "@sessions/protocol";
import type { AgentEvent, RunnerTurn } from "@sessions/turn-runner";
import { EndpointError, type OpenAICompatibleOptions, openaiCompatibleRunner } from "../src/index.js";

let messages = 0;

/** A message as a session holds it. */
export function message(role: string, content: Message["content"], more: JsonObject = {}): Message {
  return {
    id: `message-${++messages}`,
    role,
    ...(content === undefined ? {} : { content }),
    createdAt: 0,
    ...more,
  };
}

/** A turn with one question, unless told otherwise. */
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

/** What came of a turn: its events, and what was thrown after them. */
export interface Told {
  readonly events: readonly AgentEvent[];
  readonly error: unknown;
  readonly text: string;
}

/** Listens to the end, whatever that is. */
export async function listen(
  turn: AsyncIterable<AgentEvent>,
  heard: (event: AgentEvent) => void = () => undefined,
): Promise<Told> {
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

/** Runs one turn against a server and listens to the end. */
export function answer(options: OpenAICompatibleOptions, turn: Partial<RunnerTurn> = {}): Promise<Told> {
  return listen(openaiCompatibleRunner(options)(turnOf(turn)));
}

/** The error, which must be an `EndpointError`. */
export function endpointError({ error }: Told): EndpointError {
  if (EndpointError.is(error)) return error;
  throw new Error("There is no EndpointError.", { cause: error });
}
