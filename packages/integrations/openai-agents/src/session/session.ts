import type {
  RunContextAwareSession,
  Session,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents";
import type { JsonObject } from "@sessions/protocol";

/** A session of the OpenAI Agents SDK, with all that its newest version can ask of one. */
export type OpenAISession<TContext = unknown> = RunContextAwareSession<TContext> &
  SessionHistoryRewriteAwareSession &
  SessionHistoryTransactionAwareSession &
  Required<Pick<Session, "replaceHistoryWithCompaction" | "preserveReasoningItemIdsForPersistence">>;

/** How to make a session. */
export interface OpenAISessionOptions<TContext = unknown> {
  /** An earlier session. Its items are copied once, on the first use of this one, if this one has none. */
  readonly importFrom?: Session | undefined;
  /**
   * What `clearSession` does with the items. `"archive"` keeps them as an archive of the session: for
   * `OpenAIResponsesCompactionSession`, which clears and writes anew, so that a crash between the two loses nothing.
   * @default "remove"
   */
  readonly onClear?: "remove" | "archive" | undefined;
  /** What to store beside each item of a run, from the context that the run was given: a user's id, a request's. */
  readonly metadata?: ((context: TContext) => JsonObject) | undefined;
}
