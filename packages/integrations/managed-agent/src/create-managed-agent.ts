import type { ManagedAgent } from "./managed-agent.js";
import type { ManagedAgentOptions } from "./options.js";
import { requireSettings } from "./settings.js";
import { StoredAgent } from "./stored-agent.js";

/**
 * Makes an agent that keeps everything in a store: prompts, answers while they are written, tool calls, usage, state.
 * Nothing is read or written before the first call.
 *
 * @example
 * ```ts
 * const agent = createManagedAgent({
 *   store,
 *   config: { name: "assistant", instructions: "Be brief." },
 *   runner: async function* ({ messages }) {
 *     yield { type: "text-delta", text: `That was message ${messages.length}.` };
 *   },
 * });
 * console.log((await agent.execute("Hello.")).text);
 * ```
 */
export function createManagedAgent(options: ManagedAgentOptions): ManagedAgent {
  return new StoredAgent(requireSettings(options));
}
