import type {
  RunContextAwareSession,
  Session,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents";
import type { JsonObject } from "@sessions/protocol";

/** A session of the OpenAI Agents SDK, with everything that its newest version can call. */
export type OpenAISession<TContext = unknown> = RunContextAwareSession<TContext> &
  SessionHistoryRewriteAwareSession &
  SessionHistoryTransactionAwareSession &
  Required<Pick<Session, "replaceHistoryWithCompaction" | "preserveReasoningItemIdsForPersistence">>;

/** How to make a session. */
export interface OpenAISessionOptions<TContext = unknown> {
  /** An earlier session. Its items are copied once, on the first use of this one, if this one has none. */
  readonly importFrom?: Session | undefined;
  /**
   * What `clearSession` does with the items. `"archive"` keeps them as an archive of the session. Use it for
   * `OpenAIResponsesCompactionSession`, which clears the session and then writes it again: a crash between the two loses nothing.
   * @default "remove"
   */
  readonly onClear?: "remove" | "archive" | undefined;
  /** The metadata of each item of a run, from the run's context: the id of a user or of a request, for example. */
  readonly metadata?: ((context: TContext) => JsonObject) | undefined;
}
