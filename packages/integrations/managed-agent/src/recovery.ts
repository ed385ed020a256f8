import type { AgentEvent, CutOffTurn, TurnResult } from "@sessions/turn-runner";

/** What to do with a turn that was cut off. */
export interface RecoverOptions {
  /**
   * `keep`: the partial answer stays, marked as interrupted, and open tool calls get an error result.
   * `retry`: the partial answer is removed, and the same prompt is run again, not added again.
   * `discard`: the partial answer and its prompt are removed.
   */
  readonly strategy: "keep" | "retry" | "discard";
  /** Recover even if the lease has not expired: only if you know that its process is dead. @default false */
  readonly force?: boolean | undefined;
  /** The turn that you have seen. If another turn or another attempt has replaced it, nothing is done. */
  readonly cutOff?: CutOffTurn | undefined;
  /** Gets the events of a `retry`, as they come. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `recover` did. */
export interface Recovery {
  readonly turnId: string;
  readonly strategy: RecoverOptions["strategy"];
  /** The result of a `retry`. */
  readonly result?: TurnResult;
}
