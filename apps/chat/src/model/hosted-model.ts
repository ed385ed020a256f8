import type { AgentEvent, Runner, RunnerTurn } from "@sessions/managed-agent";
import { type Tool as OfferedTool, openaiCompatibleRunner } from "@sessions/managed-agent/openai-compatible";
import type { Endpoint } from "../options.js";
import { DraftState } from "../tools/draft-state.js";
import type { Tool } from "../tools/tool.js";

/** A real model, with the same tools as the built-in one. */
export function hostedModel({ baseURL, apiKey, model }: Endpoint, tools: readonly Tool[]): Runner {
  const drafts = new Map<string, DraftState>();
  const offered = tools.map((tool) => [tool.name, offer(tool, drafts)] as const);
  const runner = openaiCompatibleRunner({ baseURL, apiKey, model, tools: Object.fromEntries(offered) });
  return (turn) => withDraft(turn, runner, drafts);
}

/** What tools change is told as the turn's own change of state: it is stored with the answer, or not at all. */
async function* withDraft(
  turn: RunnerTurn,
  runner: Runner,
  drafts: Map<string, DraftState>,
): AsyncIterable<AgentEvent> {
  const draft = new DraftState(turn);
  drafts.set(turn.turnId, draft);
  try {
    for await (const event of runner(turn)) {
      yield event;
      const patch = event.type === "tool-result" ? draft.takeChanges() : undefined;
      if (patch !== undefined) yield { type: "state", patch };
    }
  } finally {
    drafts.delete(turn.turnId);
  }
}

function offer(tool: Tool, drafts: ReadonlyMap<string, DraftState>): OfferedTool {
  return {
    description: tool.description,
    parameters: tool.parameters,
    execute: (input, turn) => tool.run(input, drafts.get(turn.turnId) ?? new DraftState(turn)),
  };
}
