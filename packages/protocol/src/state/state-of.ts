import { KeyedVector } from "../persistent/keyed-vector.js";
import { PersistentVector } from "../persistent/persistent-vector.js";
import type { SessionDocument, SnapshotDocument } from "../session/session-document.js";
import { EMPTY_WINDOW, recallAlso } from "./commit-window.js";
import { type History, historyOf, sameArchive } from "./history.js";
import { Recent } from "./recent.js";
import type { LiveState, Snapshot } from "./session-state.js";

/** The session that a document describes, without a turn. */
export function stateOf(document: SessionDocument): LiveState {
  const { snapshots, messages, revisions, archives, finishedTurns, commits, ...rest } = document;
  const history = historyOf(KeyedVector.from(messages), PersistentVector.from(revisions), archives);
  return {
    status: "live",
    ...rest,
    history,
    snapshots: snapshots.map((snapshot) => snapshotOf(snapshot, document, history)),
    queue: [],
    finishedTurns: Recent.from(finishedTurns),
    commits: recallAlso(EMPTY_WINDOW, commits),
  };
}

function snapshotOf(snapshot: SnapshotDocument, document: SessionDocument, history: History): Snapshot {
  const { shared, messages, revisions: _, archives, ...info } = snapshot;
  const unchanged =
    messages.length === 0 && shared === document.messages.length && equalArchives(archives, document);
  if (unchanged) return { ...info, history };
  return { ...info, history: branched(history, snapshot) };
}

/** What a snapshot has in common with the session is shared, not held twice. */
function branched(history: History, snapshot: SnapshotDocument): History {
  const { shared, messages, revisions, archives } = snapshot;
  return historyOf(
    history.messages.truncate(shared).pushAll(messages),
    history.revisions.truncate(shared).pushAll(revisions),
    archives,
  );
}

function equalArchives(archives: SnapshotDocument["archives"], document: SessionDocument): boolean {
  return (
    archives.length === document.archives.length &&
    archives.every((archive, index) => sameArchive(archive, document.archives[index]))
  );
}
