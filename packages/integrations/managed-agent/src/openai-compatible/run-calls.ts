import { type JsonObject, jsonify } from "@sessions/protocol";
import type { ToolCall, ToolResult } from "../agent-event.js";
import type { RunnerTurn } from "../runner.js";
import { unlessAborted } from "../turn/unless-aborted.js";
import type { ParsedArguments } from "./call-arguments.js";
import { thrownText } from "./thrown-text.js";
import type { Tool, ToolContext } from "./tool.js";
import type { ToolState } from "./tool-state.js";

/** A call of the model, and what became of its arguments. */
export interface RequestedCall {
  readonly event: ToolCall;
  readonly parsed: ParsedArguments;
}

/** Runs all calls at once and yields each result as it comes. An abort leaves them to themselves, at once. */
export async function* runCalls(
  calls: readonly RequestedCall[],
  tools: ReadonlyMap<string, Tool>,
  turn: RunnerTurn,
  state: ToolState,
): AsyncGenerator<ToolResult> {
  const context = (toolCallId: string): ToolContext => contextOf(turn, state, toolCallId);
  const running = new Map(calls.map((call) => [call.event.toolCallId, run(call, tools, context)]));
  while (running.size > 0) {
    const result = await unlessAborted(turn.signal, () => Promise.race(running.values()));
    running.delete(result.toolCallId);
    yield result;
  }
}

/** What the model is told of a call that is not run. */
export function notRun({ toolCallId, toolName }: ToolCall, why: string): ToolResult {
  return { type: "tool-result", toolCallId, toolName, output: why, isError: true };
}

/** Never rejects: the model is told what went wrong, and may do better. */
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
    const output = error instanceof Error ? thrownText(error) : jsonify(error);
    return { type: "tool-result", toolCallId, toolName, output, isError: true };
  }
}

function contextOf(turn: RunnerTurn, state: ToolState, toolCallId: string): ToolContext {
  const { signal, sessionId, turnId } = turn;
  const setState = (patch: JsonObject): void => state.set(patch);
  return { signal, toolCallId, sessionId, turnId, state: state.values, setState };
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const known = [...tools.keys()].join(", ");
  return `There is no tool "${name}". ${known === "" ? "There are no tools." : `There are: ${known}.`}`;
}

function malformed(problem: string): string {
  return `The arguments must be a JSON object: ${problem}. Call the tool again.`;
}
