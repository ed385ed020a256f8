import { archiveCopies } from "./archive-copies.js";
import { batchFailsTogether } from "./batch-fails-together.js";
import { blindReplace } from "./blind-replace.js";
import { closeDrops } from "./close-drops.js";
import { commitIdIgnored } from "./commit-id-ignored.js";
import type { Control } from "./control.js";
import { corruptionReadAsAbsence } from "./corruption-read-as-absence.js";
import { deletionNotFed } from "./deletion-not-fed.js";
import { emptyArrayBent } from "./empty-array-bent.js";
import { expiryLeavesParts } from "./expiry-leaves-parts.js";
import { failedSummaryHides } from "./failed-summary-hides.js";
import { fenceIgnored } from "./fence-ignored.js";
import { forkShares } from "./fork-shares.js";
import { halfWrittenForks } from "./half-written-forks.js";
import { idsFolded } from "./ids-folded.js";
import { interruptionUnheard } from "./interruption-unheard.js";
import { keyOrderBent } from "./key-order-bent.js";
import { labelsNotUnindexed } from "./labels-not-unindexed.js";
import { lastChangeLost } from "./last-change-lost.js";
import { limitZero } from "./limit-zero.js";
import { listMisses } from "./list-misses.js";
import { listShowsDeleted } from "./list-shows-deleted.js";
import { messageIdIgnored } from "./message-id-ignored.js";
import { newerFormatIgnored } from "./newer-format-ignored.js";
import { noTombstone } from "./no-tombstone.js";
import { notJsonSwallowed } from "./not-json-swallowed.js";
import { offsetCursor } from "./offset-cursor.js";
import { operationsOneByOne } from "./operations-one-by-one.js";
import { pairSplit } from "./pair-split.js";
import { planBeforeWindow } from "./plan-before-window.js";
import { preconditionIgnored } from "./precondition-ignored.js";
import { receiptLost } from "./receipt-lost.js";
import { renewalRaises } from "./renewal-raises.js";
import { replaceAnew } from "./replace-anew.js";
import { revisionSkipped } from "./revision-skipped.js";
import { snapshotByIndex } from "./snapshot-by-index.js";
import { staleCache } from "./stale-cache.js";
import { staleMetadata } from "./stale-metadata.js";
import { takeoverLeavesDrafts } from "./takeover-leaves-drafts.js";
import { undefinedSwallowed } from "./undefined-swallowed.js";
import { unknownFieldsDropped } from "./unknown-fields-dropped.js";
import { windowLeftBehind } from "./window-left-behind.js";

/** Every deliberately broken store. Run them on your own harness to see your kit at work. */
export const controls: readonly Control[] = [
  blindReplace,
  replaceAnew,
  preconditionIgnored,
  staleCache,
  staleMetadata,
  halfWrittenForks,
  revisionSkipped,
  commitIdIgnored,
  receiptLost,
  messageIdIgnored,
  planBeforeWindow,
  operationsOneByOne,
  batchFailsTogether,
  fenceIgnored,
  renewalRaises,
  takeoverLeavesDrafts,
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
  noTombstone,
  pairSplit,
  limitZero,
  undefinedSwallowed,
  notJsonSwallowed,
  unknownFieldsDropped,
  keyOrderBent,
  emptyArrayBent,
  idsFolded,
  deletionNotFed,
  lastChangeLost,
  closeDrops,
  corruptionReadAsAbsence,
  newerFormatIgnored,
];
