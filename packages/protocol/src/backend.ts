// What authors of a store implement and use, beside everything that its users see.

export { type OptionNames, requireOptions } from "./arguments/options.js";
// The contract
export type { CommitOutcome } from "./backend/commit-outcome.js";
export type { CommitRequest } from "./backend/commit-request.js";
export { type LeaseClock, SERVER_DOMAIN } from "./backend/lease-time.js";
export type { ListQuery } from "./backend/list-query.js";
export type { MessageSelection, Selection } from "./backend/selection.js";
export type { SessionBackend, SummaryRecord } from "./backend/session-backend.js";
export type { SessionRecord, Ticket, TurnState } from "./backend/session-record.js";
export { Damage, parseStored } from "./errors/damage.js";
export { ChangeFeed } from "./feed/change-feed.js";
export { decodeCursor, encodeCursor } from "./ids/cursor.js";
export * from "./index.js";
export { frozen } from "./json/frozen.js";
export { machineLeaseClock } from "./leases/machine-lease-clock.js";
export { extensionsIn } from "./operations/extensions-in.js";
export type {
  AppendOperation,
  ExtendOperation,
  Keep,
  OnExisting,
  Operation,
  SettleArchiveOperation,
} from "./operations/operation.js";
export type { EndTurnOperation, TurnOperation } from "./operations/turn-operation.js";
export { KeyedVector } from "./persistent/keyed-vector.js";
export { PersistentVector } from "./persistent/persistent-vector.js";
export { type LoopShare, loopShare } from "./platform/loop-share.js";
export { extendedMessage } from "./state/apply/extend.js";
// The state machine
export { applyCommit } from "./state/apply-commit.js";
export type { CommitResult } from "./state/commit-result.js";
export { documentOf } from "./state/documents/document-of.js";
export {
  imageOf,
  type StateImage,
  stateOfImage,
} from "./state/documents/state-image.js";
export type { History } from "./state/history.js";
export type { CommitWindow } from "./state/memory/commit-window.js";
export type { Memory, Remembered } from "./state/memory/memory.js";
export {
  FINISHED_TURN_RETENTION,
  GENERATED_COMMIT_RETENTION,
  GIVEN_COMMIT_RETENTION,
  type Retention,
  TOMBSTONE_MS,
} from "./state/memory/retention.js";
export { frozenExceptMessages, frozenRecord } from "./state/reads/frozen-record.js";
export { listSummaries } from "./state/reads/list-summaries.js";
export { readState, summaryOf } from "./state/reads/read-state.js";
export type { MessageSequence, Sequence } from "./state/sequence.js";
export {
  copyOfState,
  type LiveState,
  type SessionState,
  type Snapshot,
  stateAt,
  type Tombstone,
} from "./state/session-state.js";
export { withCreatedAt } from "./state/with-created-at.js";
// From a backend to a store
export { createStore } from "./store/create-store.js";
export { STORE_OPTIONS, storeOptionsOf } from "./store/store-options.js";
