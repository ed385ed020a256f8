import type { Runner } from "@sessions/managed-agent";
import { type Tool as OfferedTool, openaiCompatibleRunner } from "@sessions/openai-compatible";
import type { Endpoint } from "../options.js";
import { DraftState } from "../tools/draft-state.js";
import type { Tool } from "../tools/tool.js";

/** A real model, with the same tools as the built-in one. */
export function hostedModel({ baseURL, apiKey, model }: Endpoint, tools: readonly Tool[]): Runner {
  const offered = Object.fromEntries(tools.map((tool) => [tool.name, offer(tool)]));
  return openaiCompatibleRunner({ baseURL, apiKey, model, tools: offered });
}

function offer({ description, parameters, run }: Tool): OfferedTool {
  return {
    description,
    parameters,
    execute(input, context) {
      const draft = new DraftState(context);
      const output = run(input, draft);
      context.setState(draft.takeChanges() ?? {});
      return output;
    },
  };
}
