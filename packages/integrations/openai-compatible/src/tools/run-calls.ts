import { type JsonObject, jsonify } from "@sessions/protocol";
import {
  type RunnerTurn,
  raceAbort,
  type ToolCall,
  type ToolResult,
  toolErrorOutput,
} from "@sessions/turn-runner";
import type { ParsedArguments } from "./call-arguments.js";
import type { Tool, ToolContext } from "./tool.js";
import type { ToolState } from "./tool-state.js";

/** A call of the model, with its parsed arguments. */
export interface RequestedCall {
  readonly event: ToolCall;
  readonly parsed: ParsedArguments;
}

/** Runs all calls concurrently and yields each result as it comes. After an abort it does not wait for them. */
export async function* runCalls(
  calls: readonly RequestedCall[],
  tools: ReadonlyMap<string, Tool>,
  turn: RunnerTurn,
  state: ToolState,
): AsyncGenerator<ToolResult> {
  const context = (toolCallId: string): ToolContext => contextOf(turn, state, toolCallId);
  const running = new Map(calls.map((call) => [call.event.toolCallId, run(call, tools, context)]));
  while (running.size > 0) {
    const result = await raceAbort(turn.signal, () => Promise.race(running.values()));
    running.delete(result.toolCallId);
    yield result;
  }
}

/** The error result of a call that is not run. */
export function notRun({ toolCallId, toolName }: ToolCall, why: string): ToolResult {
  return { type: "tool-result", toolCallId, toolName, output: why, isError: true };
}

/** Never rejects: the model gets the error as a result, and may correct itself. */
async function run(
  { event, parsed }: RequestedCall,
  tools: ReadonlyMap<string, Tool>,
  context: (toolCallId: string) => ToolContext,
): Promise<ToolResult> {
  const { toolCallId, toolName } = event;
  const tool = tools.get(toolName);
  if (tool === undefined) return notRun(event, unknownTool(toolName, tools));
  if (parsed.problem !== undefined) return notRun(event, malformed(parsed.problem));
  try {
    const output = jsonify(await tool.execute(parsed.input, context(toolCallId)));
    return { type: "tool-result", toolCallId, toolName, output };
  } catch (error) {
    return { type: "tool-result", toolCallId, toolName, output: toolErrorOutput(error), isError: true };
  }
}

function contextOf(turn: RunnerTurn, state: ToolState, toolCallId: string): ToolContext {
  const { signal, sessionId, turnId } = turn;
  const setState = (patch: JsonObject): void => state.set(patch);
  return { signal, toolCallId, sessionId, turnId, state: state.values, setState };
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const names = [...tools.keys()].join(", ");
  return `There is no tool "${name}". ${names === "" ? "There are no tools." : `There are: ${names}.`}`;
}

function malformed(problem: string): string {
  return `The arguments must be a JSON object: ${problem}. Call the tool again.`;
}
