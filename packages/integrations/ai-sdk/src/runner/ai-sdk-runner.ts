import { SessionError } from "@sessions/protocol";
import type { AgentEvent, Runner, RunnerTurn } from "@sessions/turn-runner";
import { type LanguageModel, stepCountIs, streamText, type ToolSet } from "ai";
import { modelHistory } from "./model-history.js";
import { observedFunctions } from "./observed-functions.js";
import { StepEvents } from "./step-events.js";

/** What of `streamText` can be set: all but what a turn says itself. */
type StreamTextOptions = Omit<
  Parameters<typeof streamText>[0],
  "model" | "tools" | "messages" | "prompt" | "system" | "abortSignal" | "activeTools"
>;

/** How to answer with a model of the AI SDK. */
export interface AISDKRunnerOptions extends StreamTextOptions {
  /** Or how to find the model that the session's config names. */
  readonly model: LanguageModel | ((turn: RunnerTurn) => LanguageModel | Promise<LanguageModel>);
  /** The config's `tools` can restrict these, not widen them. */
  readonly tools?: ToolSet;
  /** What the model is told where the session's config has no `instructions`. */
  readonly system?: string;
  /** How many times a turn may ask the model, unless `stopWhen` says it. @default 8 */
  readonly maxSteps?: number;
}

/**
 * Answers with `streamText` as a managed agent: with its tools and settings, and with turns that survive their process.
 *
 * @example
 * ```ts
 * import { createManagedAgent } from "@sessions/managed-agent";
 * import type { LanguageModel } from "ai";
 *
 * declare const model: LanguageModel;
 * const agent = createManagedAgent({ store, sessionId: "user-42", config: {}, runner: aiSdkRunner({ model }) });
 * console.log((await agent.execute("Hello.")).text);
 * ```
 */
export function aiSdkRunner(options: AISDKRunnerOptions): Runner {
  requireModel(options);
  return (turn) => runTurn(options, turn);
}

// Names cannot be checked here: whatever else is given is for `streamText`.
function requireModel(options: unknown): void {
  if (typeof options === "object" && options !== null && "model" in options && options.model !== undefined)
    return;
  const message = "options.model must be a model of the AI SDK, or a function that chooses one.";
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.model" });
}

async function* runTurn(options: AISDKRunnerOptions, turn: RunnerTurn): AsyncGenerator<AgentEvent> {
  const { model, tools = {}, system, maxSteps = 8, ...settings } = options;
  const { config, signal } = turn;
  const instructions = config.instructions ?? system;
  const result = streamText({
    stopWhen: stepCountIs(maxSteps),
    // Errors are told as parts of the stream, which throws them: nothing is logged beside it.
    onError: () => undefined,
    ...observedFunctions(settings),
    model: typeof model === "function" ? await model(turn) : model,
    tools: allowed(tools, config.tools),
    messages: await modelHistory(turn.messages),
    abortSignal: signal,
    ...(instructions === undefined ? {} : { system: instructions }),
  });
  const step = new StepEvents();
  for await (const part of result.fullStream) {
    if (part.type === "error" || part.type === "abort") yield* step.rest();
    if (part.type === "error") throw part.error;
    yield* step.events(part);
  }
  signal.throwIfAborted();
}

function allowed(tools: ToolSet, names: readonly string[] | undefined): ToolSet {
  if (names === undefined) return tools;
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names.includes(name)));
}
