import type { JsonObject } from "@sessions/protocol";
import type { AgentEvent } from "../agent-event.js";
import type { RunnerTurn } from "../runner.js";
import { ignoreRejection } from "../turn/ignore-rejection.js";
import type { Answer } from "./answer.js";
import { askModel } from "./ask-model.js";
import { parseArguments } from "./call-arguments.js";
import { CallIds } from "./call-ids.js";
import { Conversation } from "./conversation.js";
import { EndpointError } from "./endpoint-error.js";
import { isFields } from "./json-fields.js";
import { type RequestTemplate, requestBody } from "./request-body.js";
import { notRun, type RequestedCall, runCalls } from "./run-calls.js";
import { invalid, type Settings } from "./settings.js";
import type { Tool } from "./tool.js";
import { ToolState } from "./tool-state.js";

/** Answers a prompt: asks the model, runs the tools that it asks for, and asks again, until it asks for none. */
export async function* answerTurn(settings: Settings, turn: RunnerTurn): AsyncGenerator<AgentEvent> {
  const end = new AbortController();
  const signal = AbortSignal.any([turn.signal, end.signal]);
  try {
    yield* steps(settings, { ...turn, signal });
  } finally {
    // Whoever stops listening stops the tools that still run.
    end.abort();
  }
}

async function* steps(settings: Settings, turn: RunnerTurn): AsyncGenerator<AgentEvent> {
  const template = templateOf(settings, turn);
  const conversation = new Conversation(turn, settings.sendReasoningAs);
  const state = new ToolState(turn.state);
  for (let step = 1; ; step++) {
    turn.signal.throwIfAborted();
    const { messages } = conversation;
    const body = requestBody(template, messages, settings.includeUsage);
    const answer = yield* askModel(settings, { model: template.model, body, signal: turn.signal });
    const calls = requestedCalls(answer, new CallIds(messages));
    if (calls.length === 0) return;
    // No tool runs before whoever listens has taken all calls, and perhaps has stored them.
    yield* calls.map(({ event }) => event);
    if (step === settings.maxSteps) yield* refuse(calls, step);
    conversation.addAnswer(answer, calls);
    for await (const result of runCalls(calls, template.tools, turn, state)) {
      conversation.addResult(result);
      yield result;
      const patch = state.takeChanges();
      if (patch !== undefined) yield { type: "state", patch };
    }
  }
}

function templateOf({ model, tools, body }: Settings, turn: RunnerTurn): RequestTemplate {
  const { config } = turn;
  const chosen = config.model ?? model;
  if (chosen === undefined)
    throw invalid("config.model", "is missing: name a model there, or in the runner's options.");
  return { model: chosen, tools: allowed(tools, config.tools), extra: requireBody(body(turn)) };
}

/** A promise would be sent as an empty object, and its failure would be nobody's. */
function requireBody(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  ignoreRejection(body);
  throw invalid("options.body", "must be an object, or a function that returns one.");
}

function isJsonObject(value: unknown): value is JsonObject {
  return isFields(value) && !("then" in value);
}

/** A restriction never widens: a name that the runner has no tool for is no tool. */
function allowed(
  tools: ReadonlyMap<string, Tool>,
  names: readonly string[] | undefined,
): ReadonlyMap<string, Tool> {
  return names === undefined ? tools : new Map([...tools].filter(([name]) => names.includes(name)));
}

function requestedCalls(answer: Answer, ids: CallIds): readonly RequestedCall[] {
  return answer.calls.map(({ id, name, arguments: text }) => {
    const parsed = parseArguments(text);
    const toolName = name === "" ? "unnamed" : name;
    return { event: { type: "tool-call", toolCallId: ids.take(id), toolName, input: parsed.input }, parsed };
  });
}

/** The calls of the last step are answered, so that the history stays whole, and not run: no model would see what they did. */
function* refuse(calls: readonly RequestedCall[], steps: number): Generator<AgentEvent> {
  for (const { event } of calls) yield notRun(event, "Not run: the turn had reached its limit of steps.");
  const problem = `The model was asked ${steps} times and still asks for tools.`;
  throw new EndpointError(
    "STEP_LIMIT",
    `${problem} Raise \`maxSteps\`, or see why it does not come to an end.`,
  );
}
