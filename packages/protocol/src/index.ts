export type { Capabilities, Capability, Lacking, Supported } from "./backend/capabilities.js";
export type { Change, WatchTarget } from "./backend/change.js";
export type { Applied, CommitOutcome, Duplicate, Rejected, Unchanged } from "./backend/commit-outcome.js";
export type { CommitRequest } from "./backend/commit-request.js";
export { type LeaseClock, type LeaseTime, SERVER_DOMAIN } from "./backend/lease-time.js";
export type { ListOrder, ListQuery, Page } from "./backend/list-query.js";
export type { SearchHit, SearchQuery } from "./backend/search.js";
export type { MessageRange, MessageSelection, Selection } from "./backend/selection.js";
export type { SessionBackend, SummaryRecord } from "./backend/session-backend.js";
export type { SessionRecord, Ticket, TurnState } from "./backend/session-record.js";
export type { StoreDescription } from "./backend/store-description.js";
export type { Finding, Verification } from "./backend/verification.js";
export { Damage, parseStored } from "./errors/damage.js";
export { ERROR_ADVICE, type ErrorAdvice } from "./errors/error-advice.js";
export type { ErrorCode, ErrorDetails, TurnLossReason } from "./errors/error-details.js";
export { type ErrorFields, SessionError, type SessionErrorOf } from "./errors/session-error.js";
export { ChangeFeed } from "./feed/change-feed.js";
export { equalJson } from "./json/equal-json.js";
export { frozen } from "./json/frozen.js";
export type { Json, JsonObject } from "./json/json.js";
export { jsonify } from "./json/jsonify.js";
export type { HistorySource } from "./layered/history-source.js";
export { type HistoryLayers, layeredHistory, layersOf } from "./layered/layered-history.js";
export {
  layeredMemory,
  type MemoryLayers,
  type MemorySource,
  memoryLayersOf,
} from "./layered/layered-memory.js";
export type { Replaced } from "./layered/layered-messages.js";
export { RunBuilder } from "./layered/run-builder.js";
export { type RevisedRow, type Run, Runs, runAt } from "./layered/runs.js";
export { type RunWindow, runsToMerge } from "./layered/runs-to-merge.js";
export type { ContentPart, Message, MessageDraft, MessageStatus } from "./message/message.js";
export { groupMessages } from "./message/message-groups.js";
export type { MessageInput } from "./message/message-input.js";
export { resultsAfterCalls } from "./message/results-after-calls.js";
export { textOf } from "./message/text-of.js";
export { type CountTokens, estimateTokens } from "./message/token-counter.js";
export { type ToolLinks, toolLinksOf } from "./message/tool-links-of.js";
export { type UnansweredCall, unansweredCalls } from "./message/unanswered-calls.js";
export {
  type SummarizeOptions,
  type SummarizeResult,
  type SummaryTask,
  summarizeArchives,
} from "./methods/summarize-archives.js";
export type { Clock } from "./names/clock.js";
export { decodeCursor, encodeCursor } from "./names/cursor.js";
export { sessionKey } from "./names/session-key.js";
export { systemClock } from "./names/system-clock.js";
export { createUuidV7, type UuidSource } from "./names/uuid-v7.js";
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
export { extensionsIn } from "./operations/extensions-in.js";
export type * from "./operations/operation.js";
export type * from "./operations/operation-input.js";
export type * from "./operations/turn-operation.js";
export { type LoopShare, loopShare } from "./platform/loop-share.js";
export type { ArchiveInfo, ArchiveSummary } from "./session/archive-info.js";
export type { Session, SessionSummary } from "./session/session.js";
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
export { extended } from "./state/apply/extend.js";
export { applyCommit, type CommitStep } from "./state/apply-commit.js";
export type { CommitWindow } from "./state/commit-window.js";
export { documentOf } from "./state/document-of.js";
export { foreseen } from "./state/foreseen.js";
export { frozenBesides, frozenRecord } from "./state/frozen-record.js";
export type { History } from "./state/history.js";
export { incarnationOf } from "./state/incarnation-of.js";
export { listStates } from "./state/list-states.js";
export type { Memory, Remembered } from "./state/memory.js";
export { readState, summaryOf } from "./state/read-state.js";
export {
  FINISHED_TURNS,
  GENERATED_COMMITS,
  GIVEN_COMMITS,
  type Retention,
  TOMBSTONE_MS,
} from "./state/retention.js";
export type { MessageSequence, Sequence } from "./state/sequence.js";
export {
  copyOfState,
  type LiveState,
  type SessionState,
  type Snapshot,
  stateAt,
  type Tombstone,
} from "./state/session-state.js";
export {
  imageOf,
  type LiveImage,
  type StateImage,
  stateOfImage,
  type TombstoneImage,
} from "./state/state-image.js";
export { stateOf } from "./state/state-of.js";
export { timed } from "./state/step.js";
export { createStore } from "./store/create-store.js";
export type { ForcibleOptions, MutationOptions, MutationResult, ReadOptions } from "./store/mutation.js";
export type {
  ArchiveQuery,
  Context,
  ContextQuery,
  ForkOptions,
  GetSessionOptions,
  HistoryQuery,
  ListSessionsQuery,
  SessionMessages,
} from "./store/queries.js";
export type { SessionBundle } from "./store/session-bundle.js";
export type { SessionHandle } from "./store/session-handle.js";
export type { SessionInit, SessionPatch } from "./store/session-init.js";
export type { ComputeChange, SessionMethods, TurnWork } from "./store/session-methods.js";
export type { Listing, SessionStore } from "./store/session-store.js";
export type { SessionTree } from "./store/session-tree.js";
export { STORE_OPTIONS, type StoreOptions, storeOptionsOf } from "./store/store-options.js";
export { errorText } from "./turns/error-text.js";
export type {
  BeginTurnOptions,
  BeginTurnResult,
  CompleteOptions,
  FailOptions,
  RunTurnResult,
  Turn,
} from "./turns/turn.js";
export { unendedFailure } from "./turns/unended-failure.js";
export { DEFAULT_LIMITS, type Limits } from "./validate/limits.js";
export type { OptionKind } from "./validate/option-kind.js";
export { type OptionNames, requireOptions } from "./validate/options.js";
export { requireStore } from "./validate/require-store.js";
export { suggestion } from "./validate/suggestion.js";
