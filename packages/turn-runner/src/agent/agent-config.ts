import type { Json } from "@sessions/protocol";

/**
 * What an agent is, as plain data. A managed agent stores it with each session, so that every process that resumes the session
 * runs the same agent with the same restrictions. Unknown fields are kept and passed to the runner.
 */
export interface AgentConfig {
  /** Also the session's `agent` label. */
  readonly name?: string;
  readonly model?: string;
  /** Sent to the model first, in every turn. It is not part of the history. */
  readonly instructions?: string;
  /** The only tools that the agent may use. Absent: all tools of the runner. */
  readonly tools?: readonly string[];
  readonly [field: string]: Json | undefined;
}
