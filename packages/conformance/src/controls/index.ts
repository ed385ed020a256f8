import { acknowledgedAnyway } from "./acknowledged-anyway.js";
import { addedSinceUnknown } from "./added-since-unknown.js";
import { appendsForgetRenewal } from "./appends-forget-renewal.js";
import { archiveCopies } from "./archive-copies.js";
import { batchFailsTogether } from "./batch-fails-together.js";
import { blindReplace } from "./blind-replace.js";
import { closeDrops } from "./close-drops.js";
import { commitIdIgnored } from "./commit-id-ignored.js";
import { completionInterruptsDrafts } from "./completion-interrupts-drafts.js";
import { conflictOverridden } from "./conflict-overridden.js";
import type { Control } from "./control.js";
import { corruptionReadAsAbsence } from "./corruption-read-as-absence.js";
import { cursorByTime } from "./cursor-by-time.js";
import { cursorForgetsPending } from "./cursor-forgets-pending.js";
import { damageFailsLists } from "./damage-fails-lists.js";
import { damageForgotten } from "./damage-forgotten.js";
import { deletionNotFed } from "./deletion-not-fed.js";
import { emptyArrayBent } from "./empty-array-bent.js";
import { expiryLeavesParts } from "./expiry-leaves-parts.js";
import { failedSummaryHides } from "./failed-summary-hides.js";
import { failureFinishesDrafts } from "./failure-finishes-drafts.js";
import { feedGoesOn } from "./feed-goes-on.js";
import { fenceIgnored } from "./fence-ignored.js";
import { foreignEntryFails } from "./foreign-entry-fails.js";
import { forkShares } from "./fork-shares.js";
import { halfWrittenForks } from "./half-written-forks.js";
import {
  foreignCursorAccepted,
  lengthsNotChecked,
  nullOptionsAccepted,
  optionsThrowAtOnce,
  unknownOptionsIgnored,
} from "./hostile-options.js";
import { idsFolded } from "./ids-folded.js";
import { interruptionUnheard } from "./interruption-unheard.js";
import { keyOrderBent } from "./key-order-bent.js";
import { labelsNotUnindexed } from "./labels-not-unindexed.js";
import { lastChangeLost } from "./last-change-lost.js";
import { limitZero } from "./limit-zero.js";
import { listMisses } from "./list-misses.js";
import { listShowsDeleted } from "./list-shows-deleted.js";
import { lossReadAsAbsence } from "./loss-read-as-absence.js";
import { lossUsedUp } from "./loss-used-up.js";
import { manyIdsRefused } from "./many-ids-refused.js";
import { mergeOverRewrites } from "./merge-over-rewrites.js";
import { messageIdIgnored } from "./message-id-ignored.js";
import { missingPartReadAsAbsence } from "./missing-part-read-as-absence.js";
import { missingPartSkipped } from "./missing-part-skipped.js";
import { newerFormatIgnored } from "./newer-format-ignored.js";
import { newerFormatRead } from "./newer-format-read.js";
import { noTombstone } from "./no-tombstone.js";
import { notJsonSwallowed } from "./not-json-swallowed.js";
import { offsetCursor } from "./offset-cursor.js";
import { operationsOneByOne } from "./operations-one-by-one.js";
import { pairSplit } from "./pair-split.js";
import { preconditionIgnored } from "./precondition-ignored.js";
import { readsRenew } from "./reads-renew.js";
import { receiptLost } from "./receipt-lost.js";
import { renewalRaises } from "./renewal-raises.js";
import { repeatPlannedAnew } from "./repeat-planned-anew.js";
import { replaceAnew } from "./replace-anew.js";
import { revisionSkipped } from "./revision-skipped.js";
import { snapshotByIndex } from "./snapshot-by-index.js";
import { staleCache } from "./stale-cache.js";
import { staleMetadata } from "./stale-metadata.js";
import { takeoverByWallClock } from "./takeover-by-wall-clock.js";
import { takeoverLeavesDrafts } from "./takeover-leaves-drafts.js";
import { truncatedHistory } from "./truncated-history.js";
import { undefinedSwallowed } from "./undefined-swallowed.js";
import { unknownFieldsDropped } from "./unknown-fields-dropped.js";
import { unknownFieldsSeenByOne } from "./unknown-fields-seen-by-one.js";
import { unknownSaidUnchanged } from "./unknown-said-unchanged.js";
import { watchCannotBeLeft } from "./watch-cannot-be-left.js";
import { windowLeftBehind } from "./window-left-behind.js";

/** Every deliberately broken store. Run them on your own harness to see your kit at work. */
export const controls: readonly Control[] = [
  blindReplace,
  replaceAnew,
  mergeOverRewrites,
  addedSinceUnknown,
  conflictOverridden,
  preconditionIgnored,
  staleCache,
  staleMetadata,
  halfWrittenForks,
  revisionSkipped,
  commitIdIgnored,
  receiptLost,
  messageIdIgnored,
  repeatPlannedAnew,
  operationsOneByOne,
  batchFailsTogether,
  fenceIgnored,
  renewalRaises,
  takeoverLeavesDrafts,
  takeoverByWallClock,
  completionInterruptsDrafts,
  failureFinishesDrafts,
  interruptionUnheard,
  archiveCopies,
  failedSummaryHides,
  snapshotByIndex,
  forkShares,
  windowLeftBehind,
  listMisses,
  listShowsDeleted,
  labelsNotUnindexed,
  offsetCursor,
  expiryLeavesParts,
  appendsForgetRenewal,
  readsRenew,
  noTombstone,
  pairSplit,
  limitZero,
  undefinedSwallowed,
  notJsonSwallowed,
  unknownFieldsDropped,
  unknownFieldsSeenByOne,
  keyOrderBent,
  emptyArrayBent,
  idsFolded,
  deletionNotFed,
  lastChangeLost,
  watchCannotBeLeft,
  feedGoesOn,
  cursorByTime,
  cursorForgetsPending,
  closeDrops,
  corruptionReadAsAbsence,
  newerFormatIgnored,
  unknownSaidUnchanged,
  acknowledgedAnyway,
  unknownOptionsIgnored,
  nullOptionsAccepted,
  optionsThrowAtOnce,
  lengthsNotChecked,
  foreignCursorAccepted,
  damageFailsLists,
  damageForgotten,
  foreignEntryFails,
  lossReadAsAbsence,
  lossUsedUp,
  manyIdsRefused,
  missingPartReadAsAbsence,
  missingPartSkipped,
  newerFormatRead,
  truncatedHistory,
];
