import { SessionError } from "@sessions/protocol";
import type { AgentEvent, Runner, RunnerTurn } from "@sessions/turn-runner";
import { type LanguageModel, stepCountIs, streamText, type ToolSet } from "ai";
import { modelHistory } from "./model-history.js";
import { observedFunctions } from "./observed-functions.js";
import { StepEvents } from "./step-events.js";

/** The options of `streamText`, without those that a turn sets itself. */
type StreamTextOptions = Omit<
  Parameters<typeof streamText>[0],
  "model" | "tools" | "messages" | "prompt" | "system" | "abortSignal" | "activeTools"
>;

/** How to answer with a model of the AI SDK. */
export interface AISDKRunnerOptions extends StreamTextOptions {
  /** The model, or a function that returns it, for example by the name in the session's config. */
  readonly model: LanguageModel | ((turn: RunnerTurn) => LanguageModel | Promise<LanguageModel>);
  /** The config's `tools` can restrict these, not widen them. */
  readonly tools?: ToolSet;
  /** The instructions, if the session's config has none. */
  readonly system?: string;
  /** How many times a turn may call the model, unless `stopWhen` is set. @default 8 */
  readonly maxSteps?: number;
}

/**
 * Answers with `streamText` as a managed agent, with its tools and settings: its turns survive the end of their process.
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

// The names of options are not checked: all others go to `streamText`.
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
    // The stream has errors as parts, which are thrown below. The default would also log them.
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
