import type { AgentInputItem, Runner } from "@openai/agents";
import type { Json, ReadOptions } from "@sessions/protocol";

/** A tool call that a run has stopped for. */
export interface WaitingCall {
  readonly callId: string;
  readonly toolName: string;
  /** The agent that asks for it. */
  readonly agentName: string;
  /** What the model wants to call the tool with. Arguments that are not JSON are text. */
  readonly input: Json;
  /**
   * `undecided`: nobody has decided. `approved` and `rejected`: `resume` has not been called since. `running`: a process resumes the run
   * now. `unknown`: the call was approved and the process that resumed the run has ended without a result, so the tool may have run.
   */
  readonly status: "undecided" | "approved" | "rejected" | "running" | "unknown";
}

/** A run that has ended, or that has stopped for approvals. */
export interface StoredRun {
  readonly turnId: string;
  readonly status: "completed" | "waiting";
  /** The text of the last answer. */
  readonly text: string;
  /** The calls that wait for a decision. */
  readonly waiting: readonly WaitingCall[];
  /** What the SDK calls the final output. `undefined` if the run waits, and where `duplicate` is true. */
  readonly finalOutput: unknown;
  /** A turn with this id was completed before, and nothing was run. */
  readonly duplicate: boolean;
}

/** How to run one turn. */
export interface RunOptions {
  /** The turn's identity, such as a webhook's delivery id: a turn that completed is not run again. Generated if absent. */
  readonly turnId?: string | undefined;
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `openaiRuns`. */
export interface OpenAIRunsOptions<TContext = unknown> {
  /** The SDK's own runner, for its model provider, guardrails, tracing and hooks. @default a new one */
  readonly runner?: Runner | undefined;
  /** The context of a run. It is stored with a run that stops, and must be JSON then. */
  readonly context?: TContext | undefined;
  /** How many times a run may call the model. @default that of the SDK */
  readonly maxTurns?: number | undefined;
  /** The lease of a run: after this time without a renewal its process is taken to be dead. @default 30000 */
  readonly ttlMs?: number | undefined;
  /** How long to wait while another process runs the session. 0 fails with TURN_BUSY at once. @default 0 */
  readonly waitMs?: number | undefined;
  /** The name of this process, for display. */
  readonly owner?: string | undefined;
}

/** The runs of one session, one at a time. They may stop for approvals and be resumed by any process. */
export interface OpenAIRuns {
  /**
   * Runs the agent. What it adds is stored in one commit at its end, with the state of the run if it stops for approvals. INVALID_ARGUMENT
   * if a run waits already, TURN_BUSY if another process runs the session. A run that fails adds nothing.
   */
  run(input: string | AgentInputItem[], options?: RunOptions): Promise<StoredRun>;
  /** The calls of the run that waits; none if no run waits. */
  waiting(options?: ReadOptions): Promise<readonly WaitingCall[]>;
  /**
   * Approves a call. The same decision again changes nothing; the other one is INVALID_ARGUMENT. A call whose status is `unknown` may have
   * run: it is run again only with `again`.
   */
  approve(callId: string, options?: { readonly again?: boolean | undefined }): Promise<void>;
  /** Rejects a call, with a message for the model. */
  reject(callId: string, options?: { readonly message?: string | undefined }): Promise<void>;
  /**
   * Goes on with the run that waits, with the decisions. INVALID_ARGUMENT, and nothing is run, if none waits, if a call is undecided or
   * unknown.
   */
  resume(options?: RunOptions): Promise<StoredRun>;
  /** Forgets the run that waits. What it has added stays. `false` if none waits. */
  abandon(): Promise<boolean>;
}
