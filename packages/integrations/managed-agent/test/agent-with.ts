import type { SessionStore } from "@sessions/protocol";
import { memoryPlace } from "test-tools";
import { createManagedAgent, type ManagedAgent, type ManagedAgentOptions } from "../src/index.js";
import { scripted } from "./scripted-runner.js";

/** An agent with the scripted runner on a new memory store, unless the options say otherwise. */
export async function agentWith(
  options: Partial<ManagedAgentOptions> = {},
): Promise<{ readonly agent: ManagedAgent; readonly store: SessionStore }> {
  const store = options.store ?? (await memoryPlace().open());
  const agent = createManagedAgent({
    sessionId: "s",
    config: { name: "a" },
    runner: scripted(),
    ...options,
    store,
  });
  return { agent, store };
}
