import type { AgentConfig, Runner } from "@sessions/managed-agent";

/** The model of a chat. */
export interface ChatModel {
  /** One line that tells the user which model answers. */
  readonly description: string;
  readonly config: AgentConfig;
  readonly runner: Runner;
}
