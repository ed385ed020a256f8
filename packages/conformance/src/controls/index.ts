import { appendsDoNotRenew } from "./appends-do-not-renew.js";
import { archiveKeepsLiveMessages } from "./archive-keeps-live-messages.js";
import { baseIgnored } from "./base-ignored.js";
import { batchFailsTogether } from "./batch-fails-together.js";
import { closeDropsWrites } from "./close-drops-writes.js";
import { commitIdIgnored } from "./commit-id-ignored.js";
import { commitWindowNotImported } from "./commit-window-not-imported.js";
import { completionInterruptsDrafts } from "./completion-interrupts-drafts.js";
import { conflictOverridden } from "./conflict-overridden.js";
import type { Control } from "./control.js";
import { corruptionReadAsAbsence } from "./corruption-read-as-absence.js";
import { cursorByTime } from "./cursor-by-time.js";
import { cursorSkipsUndelivered } from "./cursor-skips-undelivered.js";
import { damageFailsLists } from "./damage-fails-lists.js";
import { damageForgotten } from "./damage-forgotten.js";
import { deletedSessionListed } from "./deleted-session-listed.js";
import { deletionNotWatched } from "./deletion-not-watched.js";
import { emptyArrayBecomesObject } from "./empty-array-becomes-object.js";
import { expiredSessionListed } from "./expired-session-listed.js";
import { failedSummaryHidesMessages } from "./failed-summary-hides-messages.js";
import { failedWriteAcknowledged } from "./failed-write-acknowledged.js";
import { failureFinishesDrafts } from "./failure-finishes-drafts.js";
import { feedIgnoresSignal } from "./feed-ignores-signal.js";
import { fenceIgnored } from "./fence-ignored.js";
import { foreignEntryFails } from "./foreign-entry-fails.js";
import { forkFollowsParent } from "./fork-follows-parent.js";
import {
  foreignCursorAccepted,
  lengthsNotChecked,
  nullOptionsAccepted,
  optionsThrowAtOnce,
  unknownOptionsIgnored,
} from "./hostile-options.js";
import { interruptionNotDelivered } from "./interruption-not-delivered.js";
import { lastChangeNotWatched } from "./last-change-not-watched.js";
import { limitZeroIgnored } from "./limit-zero-ignored.js";
import { listMissesNewSessions } from "./list-misses-new-sessions.js";
import { lossReadAsAbsence } from "./loss-read-as-absence.js";
import { lossReportedToBackground } from "./loss-reported-to-background.js";
import { manyIdsRefused } from "./many-ids-refused.js";
import { messageIdIgnored } from "./message-id-ignored.js";
import { missingPartReadAsAbsence } from "./missing-part-read-as-absence.js";
import { missingPartSkipped } from "./missing-part-skipped.js";
import { newerFormatIgnored } from "./newer-format-ignored.js";
import { newerFormatRead } from "./newer-format-read.js";
import { noTombstone } from "./no-tombstone.js";
import { nonJsonConverted } from "./non-json-converted.js";
import { objectKeysSorted } from "./object-keys-sorted.js";
import { offsetCursor } from "./offset-cursor.js";
import { oldLabelsListed } from "./old-labels-listed.js";
import { operationsCommittedSeparately } from "./operations-committed-separately.js";
import { preconditionIgnored } from "./precondition-ignored.js";
import { readsRenew } from "./reads-renew.js";
import { receiptDropped } from "./receipt-dropped.js";
import { removedMessagesReturn } from "./removed-messages-return.js";
import { renewalRaisesRevision } from "./renewal-raises-revision.js";
import { repeatComputedAgain } from "./repeat-computed-again.js";
import { replaceDropsIds } from "./replace-drops-ids.js";
import { revisionSkipped } from "./revision-skipped.js";
import { rewritesIgnored } from "./rewrites-ignored.js";
import { sessionIdsFolded } from "./session-ids-folded.js";
import { snapshotByIndex } from "./snapshot-by-index.js";
import { staleCache } from "./stale-cache.js";
import { staleDraftsInForks } from "./stale-drafts-in-forks.js";
import { staleMetadata } from "./stale-metadata.js";
import { takeoverByWallClock } from "./takeover-by-wall-clock.js";
import { takeoverLeavesDrafts } from "./takeover-leaves-drafts.js";
import { toolPairSplit } from "./tool-pair-split.js";
import { truncatedHistory } from "./truncated-history.js";
import { undefinedDropped } from "./undefined-dropped.js";
import { unknownFieldsDropped } from "./unknown-fields-dropped.js";
import { unknownFieldsInMemoryOnly } from "./unknown-fields-in-memory-only.js";
import { unknownOutcomeReportedUnchanged } from "./unknown-outcome-reported-unchanged.js";
import { watchReturnWaits } from "./watch-return-waits.js";

/** Every deliberately broken store. Run them on your own harness to check that the kit finds the faults. */
export const controls: readonly Control[] = [
  baseIgnored,
  replaceDropsIds,
  rewritesIgnored,
  removedMessagesReturn,
  conflictOverridden,
  preconditionIgnored,
  staleCache,
  staleMetadata,
  staleDraftsInForks,
  revisionSkipped,
  commitIdIgnored,
  receiptDropped,
  messageIdIgnored,
  repeatComputedAgain,
  operationsCommittedSeparately,
  batchFailsTogether,
  fenceIgnored,
  renewalRaisesRevision,
  takeoverLeavesDrafts,
  takeoverByWallClock,
  completionInterruptsDrafts,
  failureFinishesDrafts,
  interruptionNotDelivered,
  archiveKeepsLiveMessages,
  failedSummaryHidesMessages,
  snapshotByIndex,
  forkFollowsParent,
  commitWindowNotImported,
  listMissesNewSessions,
  deletedSessionListed,
  oldLabelsListed,
  offsetCursor,
  expiredSessionListed,
  appendsDoNotRenew,
  readsRenew,
  noTombstone,
  toolPairSplit,
  limitZeroIgnored,
  undefinedDropped,
  nonJsonConverted,
  unknownFieldsDropped,
  unknownFieldsInMemoryOnly,
  objectKeysSorted,
  emptyArrayBecomesObject,
  sessionIdsFolded,
  deletionNotWatched,
  lastChangeNotWatched,
  watchReturnWaits,
  feedIgnoresSignal,
  cursorByTime,
  cursorSkipsUndelivered,
  closeDropsWrites,
  corruptionReadAsAbsence,
  newerFormatIgnored,
  unknownOutcomeReportedUnchanged,
  failedWriteAcknowledged,
  unknownOptionsIgnored,
  nullOptionsAccepted,
  optionsThrowAtOnce,
  lengthsNotChecked,
  foreignCursorAccepted,
  damageFailsLists,
  damageForgotten,
  foreignEntryFails,
  lossReadAsAbsence,
  lossReportedToBackground,
  manyIdsRefused,
  missingPartReadAsAbsence,
  missingPartSkipped,
  newerFormatRead,
  truncatedHistory,
];
