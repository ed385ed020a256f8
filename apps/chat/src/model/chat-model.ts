import type { AgentConfig, Runner } from "@sessions/managed-agent";

/** Who answers. */
export interface ChatModel {
  /** One line for the user: what it is talking to. */
  readonly description: string;
  readonly config: AgentConfig;
  readonly runner: Runner;
}
