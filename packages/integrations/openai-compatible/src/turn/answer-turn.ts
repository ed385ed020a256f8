import type { JsonObject } from "@sessions/protocol";
import { type AgentEvent, ignoreRejection, invalid, isFields, type RunnerTurn } from "@sessions/turn-runner";
import { type RequestTemplate, requestBody } from "../endpoint/request-body.js";
import { EndpointError } from "../endpoint-error.js";
import { Conversation } from "../messages/conversation.js";
import type { Settings } from "../settings.js";
import { parseArguments } from "../tools/call-arguments.js";
import { notRun, type RequestedCall, runCalls } from "../tools/run-calls.js";
import type { Tool } from "../tools/tool.js";
import { ToolState } from "../tools/tool-state.js";
import { askModel } from "./ask-model.js";
import { CallIds } from "./call-ids.js";
import type { ModelAnswer } from "./model-answer.js";

/** Answers a prompt: asks the model, runs the tools that it calls, and asks again until it calls none. */
export async function* answerTurn(settings: Settings, turn: RunnerTurn): AsyncGenerator<AgentEvent> {
  const end = new AbortController();
  const signal = AbortSignal.any([turn.signal, end.signal]);
  try {
    yield* steps(settings, { ...turn, signal });
  } finally {
    // A consumer that leaves also stops the tools that still run.
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
    // All calls are yielded before any tool runs: the consumer stores each of them first.
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

/** Refuses a promise too: it would be sent as an empty object, and its rejection would be unhandled. */
function requireBody(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  ignoreRejection(body);
  throw invalid("options.body", "must be an object, or a function that returns one.");
}

function isJsonObject(value: unknown): value is JsonObject {
  return isFields(value) && !("then" in value);
}

/** A config can restrict the runner's tools, not add to them. */
function allowed(
  tools: ReadonlyMap<string, Tool>,
  names: readonly string[] | undefined,
): ReadonlyMap<string, Tool> {
  return names === undefined ? tools : new Map([...tools].filter(([name]) => names.includes(name)));
}

function requestedCalls(answer: ModelAnswer, ids: CallIds): readonly RequestedCall[] {
  return answer.calls.map(({ id, name, arguments: text }) => {
    const parsed = parseArguments(text);
    const toolName = name === "" ? "unnamed" : name;
    return { event: { type: "tool-call", toolCallId: ids.take(id), toolName, input: parsed.input }, parsed };
  });
}

/** The calls of the last step are answered, so that the history is whole, and not run: no model would see their results. */
function* refuse(calls: readonly RequestedCall[], steps: number): Generator<AgentEvent> {
  for (const { event } of calls) yield notRun(event, "Not run: the turn had reached its limit of steps.");
  const problem = `The model was asked ${steps} times and still asks for tools.`;
  throw new EndpointError(
    "STEP_LIMIT",
    `${problem} Raise \`maxSteps\`, or see why it does not come to an end.`,
  );
}
