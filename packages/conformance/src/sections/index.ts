import type { Section } from "../case.js";
import { addMessage } from "./operations/add-message.js";
import { archiveMessages } from "./operations/archive-messages.js";
import { beginTurn } from "./operations/begin-turn.js";
import { clearSession } from "./operations/clear-session.js";
import { close } from "./operations/close.js";
import { commit } from "./operations/commit.js";
import { createSession } from "./operations/create-session.js";
import { createSnapshot } from "./operations/create-snapshot.js";
import { deleteSession } from "./operations/delete-session.js";
import { describeStore } from "./operations/describe.js";
import { dropSnapshot } from "./operations/drop-snapshot.js";
import { exportSession } from "./operations/export-session.js";
import { forkSession } from "./operations/fork-session.js";
import { getArchive } from "./operations/get-archive.js";
import { getChatHistory } from "./operations/get-chat-history.js";
import { getChildren } from "./operations/get-children.js";
import { getContext } from "./operations/get-context.js";
import { getMessages } from "./operations/get-messages.js";
import { getParent } from "./operations/get-parent.js";
import { getSession } from "./operations/get-session.js";
import { getSessionTree } from "./operations/get-session-tree.js";
import { importSession } from "./operations/import-session.js";
import { incrementCounters } from "./operations/increment-counters.js";
import { interruptTurn } from "./operations/interrupt-turn.js";
import { listArchives } from "./operations/list-archives.js";
import { listSessions } from "./operations/list-sessions.js";
import { listSnapshots } from "./operations/list-snapshots.js";
import { patchSession } from "./operations/patch-session.js";
import { popMessage } from "./operations/pop-message.js";
import { removeMessages } from "./operations/remove-messages.js";
import { revertToMessage } from "./operations/revert-to-message.js";
import { revertToSnapshot } from "./operations/revert-to-snapshot.js";
import { runTurn } from "./operations/run-turn.js";
import { search } from "./operations/search.js";
import { sessionExists } from "./operations/session-exists.js";
import { sessionHandle } from "./operations/session-handle.js";
import { setChatHistory } from "./operations/set-chat-history.js";
import { settleArchive } from "./operations/settle-archive.js";
import { updateMessage } from "./operations/update-message.js";
import { updateSession } from "./operations/update-session.js";
import { updateSessionMetadata } from "./operations/update-session-metadata.js";
import { verify } from "./operations/verify.js";
import { watch } from "./operations/watch.js";
import { processesAppend } from "./processes/processes-append.js";
import { processesAreKilled } from "./processes/processes-are-killed.js";
import { processesChange } from "./processes/processes-change.js";
import { processesDieInTurns } from "./processes/processes-die-in-turns.js";
import { processesTakeTurns } from "./processes/processes-take-turns.js";
import { processesWatch } from "./processes/processes-watch.js";
import { aborts } from "./traits/aborts.js";
import { allOrNothing } from "./traits/all-or-nothing.js";
import { archives } from "./traits/archives.js";
import { baseMerges } from "./traits/base-merges.js";
import { bounded } from "./traits/bounded.js";
import { bundles } from "./traits/bundles.js";
import { closed } from "./traits/closed.js";
import { commitWindow } from "./traits/commit-window.js";
import { concurrency } from "./traits/concurrency.js";
import { corruption } from "./traits/corruption.js";
import { declaredAbsences } from "./traits/declared-absences.js";
import { exactlyOnce } from "./traits/exactly-once.js";
import { expiry } from "./traits/expiry.js";
import { feedResume } from "./traits/feed-resume.js";
import { fencing } from "./traits/fencing.js";
import { fidelity } from "./traits/fidelity.js";
import { foreignBundles } from "./traits/foreign-bundles.js";
import { foreignEntries } from "./traits/foreign-entries.js";
import { forks } from "./traits/forks.js";
import { hostileOptions } from "./traits/hostile-options.js";
import { identity } from "./traits/identity.js";
import { limits } from "./traits/limits.js";
import { listing } from "./traits/listing.js";
import { lostData } from "./traits/lost-data.js";
import { messageIds } from "./traits/message-ids.js";
import { missingPart } from "./traits/missing-part.js";
import { model } from "./traits/model.js";
import { noLostUpdate } from "./traits/no-lost-update.js";
import { pairSafety } from "./traits/pair-safety.js";
import { readFresh } from "./traits/read-fresh.js";
import { repeatedDamage } from "./traits/repeated-damage.js";
import { replace } from "./traits/replace.js";
import { reportedOutcomes } from "./traits/reported-outcomes.js";
import { revisions } from "./traits/revisions.js";
import { schema } from "./traits/schema.js";
import { snapshots } from "./traits/snapshots.js";
import { summaries } from "./traits/summaries.js";
import { turns } from "./traits/turns.js";
import { unreachable } from "./traits/unreachable.js";

/** Every section of the kit: the operations in the order of the contract, then the traits. */
export const sections: readonly Section[] = [
  createSession,
  getSession,
  getMessages,
  sessionExists,
  listSessions,
  patchSession,
  deleteSession,
  addMessage,
  getChatHistory,
  setChatHistory,
  updateMessage,
  removeMessages,
  popMessage,
  clearSession,
  updateSessionMetadata,
  incrementCounters,
  forkSession,
  getChildren,
  getParent,
  getSessionTree,
  createSnapshot,
  listSnapshots,
  revertToSnapshot,
  revertToMessage,
  dropSnapshot,
  exportSession,
  importSession,
  archiveMessages,
  settleArchive,
  listArchives,
  getArchive,
  getContext,
  runTurn,
  beginTurn,
  interruptTurn,
  commit,
  updateSession,
  watch,
  search,
  sessionHandle,
  describeStore,
  verify,
  close,
  allOrNothing,
  readFresh,
  noLostUpdate,
  concurrency,
  revisions,
  exactlyOnce,
  messageIds,
  commitWindow,
  fencing,
  turns,
  corruption,
  repeatedDamage,
  missingPart,
  foreignEntries,
  lostData,
  fidelity,
  identity,
  pairSafety,
  replace,
  baseMerges,
  forks,
  snapshots,
  archives,
  summaries,
  bundles,
  foreignBundles,
  expiry,
  feedResume,
  listing,
  bounded,
  limits,
  hostileOptions,
  aborts,
  unreachable,
  reportedOutcomes,
  closed,
  schema,
  declaredAbsences,
  model,
  processesAppend,
  processesChange,
  processesTakeTurns,
  processesDieInTurns,
  processesAreKilled,
  processesWatch,
];
