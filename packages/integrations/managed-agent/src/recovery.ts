import type { Message } from "@sessions/protocol";
import type { AgentEvent } from "./agent-event.js";
import type { TurnResult } from "./turn-result.js";

/** A turn that did not come to its end. */
export interface CutOffTurn {
  readonly turnId: string;
  /**
   * `running`: its lease is still good, perhaps its process lives. `expired`: nobody renews it. `failed` and
   * `interrupted`: it ended, and its answer is incomplete.
   */
  readonly status: "running" | "expired" | "failed" | "interrupted";
  readonly error?: string;
  /** Who runs it, or ran it, if it still holds the session. */
  readonly owner?: string;
  /** When this attempt at it began, if it still holds the session. */
  readonly startedAt?: number;
  /** The revision that this attempt began with, if it still holds the session. */
  readonly startRevision?: number;
  /** When this attempt ended, if it did. */
  readonly endedAt?: number;
  /** The prompt, if it is still live. */
  readonly prompt?: Message;
  /** What there is of the answer. */
  readonly messages: readonly Message[];
  /** The text of it. */
  readonly text: string;
}

/** What to do with a turn that was cut off. */
export interface RecoverOptions {
  /**
   * `keep`: the partial answer stays, marked as interrupted, and open tool calls get an error result.
   * `retry`: the partial answer goes, and the same prompt is run again, not added again.
   * `discard`: the partial answer and its prompt go.
   */
  readonly strategy: "keep" | "retry" | "discard";
  /** Also if its lease is still good: only when you know that its process is dead. @default false */
  readonly force?: boolean | undefined;
  /** The turn that you looked at. If another one, or another attempt, has taken its place since then, nothing is done. */
  readonly cutOff?: CutOffTurn | undefined;
  /** Told the events of a `retry`, as they come. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was done. */
export interface Recovery {
  readonly turnId: string;
  readonly strategy: RecoverOptions["strategy"];
  /** Of a `retry`. */
  readonly result?: TurnResult;
}
