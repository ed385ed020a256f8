// What users of a store call and see. Store packages re-export all of it.

// Stores, sessions and what their methods take and return
export type { ForcibleOptions, MutationOptions, MutationResult, ReadOptions } from "./api/mutation.js";
export type {
  ArchiveQuery,
  Context,
  ContextQuery,
  ForkOptions,
  GetSessionOptions,
  HistoryQuery,
  ListSessionsQuery,
  SessionMessages,
} from "./api/queries.js";
export type { SessionBundle } from "./api/session-bundle.js";
export type { SessionHandle } from "./api/session-handle.js";
export type { SessionInit, SessionPatch } from "./api/session-init.js";
export type { ComputeChange, SessionMethods, TurnWork } from "./api/session-methods.js";
export type { Listing, SessionStore } from "./api/session-store.js";
export type {
  BeginTurnOptions,
  BeginTurnResult,
  CompleteOptions,
  FailOptions,
  RunTurnResult,
  Turn,
} from "./api/turn.js";
export { DEFAULT_LIMITS, type Limits } from "./arguments/limits.js";
export type { Capabilities, Capability, Lacking, Supported } from "./backend/capabilities.js";
export type { Change, WatchTarget } from "./backend/change.js";
export type { ListOrder, Page } from "./backend/list-query.js";
export type { SearchHit, SearchQuery } from "./backend/search.js";
export type { StoreDescription } from "./backend/store-description.js";
export type { Finding, Verification } from "./backend/verification.js";
// Errors
export { ERROR_ADVICE, type ErrorAdvice } from "./errors/error-advice.js";
export type { ErrorCode, ErrorDetails, TurnLossReason } from "./errors/error-details.js";
export { type ErrorFields, SessionError, type SessionErrorOf } from "./errors/session-error.js";
export { sessionKey } from "./ids/session-key.js";
export type { UuidSource } from "./ids/uuid-v7.js";
export type { Json, JsonObject } from "./json/json.js";
export { jsonify } from "./json/jsonify.js";
export { type ToolLinks, toolLinksOf } from "./message/links/tool-links-of.js";
export { type UnansweredCall, unansweredCalls } from "./message/links/unanswered-calls.js";
// Messages, and what can be read out of them
export type { ContentPart, Message, MessageDraft, MessageStatus } from "./message/message.js";
export type { MessageInput } from "./message/message-input.js";
export { textOf } from "./message/text/text-of.js";
export { type CountTokens, estimateTokens } from "./message/text/token-counter.js";
export { groupMessages } from "./message/windows/message-groups.js";
export { resultsAfterCalls } from "./message/windows/results-after-calls.js";
export {
  type SummarizeOptions,
  type SummarizeResult,
  type SummaryTask,
  summarizeArchives,
} from "./methods/summarize-archives.js";
// Operations of a commit
export {
  adopt,
  append,
  archive,
  count,
  create,
  deletion,
  dropSnapshot,
  endTurn,
  extend,
  interruptTurn,
  type OneOrMany,
  remove,
  restore,
  set,
  settleArchive,
  snapshot,
  splice,
  update,
} from "./operations/builders.js";
export type * from "./operations/operation-input.js";
export type { Clock } from "./platform/clock.js";
export { systemClock } from "./platform/system-clock.js";
export type { ArchiveInfo, ArchiveSummary } from "./session/archive-info.js";
export type { Session, SessionSummary, SessionTree } from "./session/session.js";
export type {
  CommitMemory,
  MemoryDocument,
  SessionDocument,
  SnapshotDocument,
  TurnMemory,
} from "./session/session-document.js";
export type { Parent, SessionFields } from "./session/session-fields.js";
export type { SnapshotInfo } from "./session/snapshot-info.js";
export type { LastTurn, TurnInfo, TurnOutcome } from "./session/turn-info.js";
export type { StoreOptions } from "./store/store-options.js";
// Sessions whose messages and metadata have types of the user's
export type { StandardSchemaIssue, StandardSchemaResult, StandardSchemaV1 } from "./typed/standard-schema.js";
export type {
  GivenMessage,
  TypedMessage,
  TypedMetadata,
  TypedMutationResult,
  TypedSession,
  TypedSessionState,
} from "./typed/typed-session.js";
export { type SessionSchemas, type TypedSessions, typedSessions } from "./typed/typed-sessions.js";
