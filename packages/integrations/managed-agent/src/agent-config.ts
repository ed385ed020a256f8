import type { Json } from "@sessions/protocol";

/**
 * What an agent is: plain data, stored with each session, so that whoever resumes it gets the same agent with the
 * same restrictions. What is stored counts; `updateAgent` changes it. Further fields are kept and handed to the runner.
 */
export interface AgentConfig {
  /** Also the session's `agent` label. */
  readonly name?: string;
  readonly model?: string;
  /** What the model is told first, in every turn. It is not part of the history. */
  readonly instructions?: string;
  /** The only tools that the agent may use. Absent: all that the runner has. */
  readonly tools?: readonly string[];
  readonly [field: string]: Json | undefined;
}
