import { KeyedVector } from "../../persistent/keyed-vector.js";
import { PersistentVector } from "../../persistent/persistent-vector.js";
import type { SessionDocument, SnapshotDocument } from "../../session/session-document.js";
import { unknownDocumentFields, unknownSnapshotFields } from "../../session/unknown-fields.js";
import { type History, historyOf, sameArchive } from "../history.js";
import { EMPTY_WINDOW, recallAlso } from "../memory/commit-window.js";
import { TwoGenerationMemory } from "../memory/two-generation-memory.js";
import type { LiveState, Snapshot } from "../session-state.js";
import { fieldsOf } from "./fields-of.js";

/** The session that a document describes, without a turn. */
export function stateOf(document: SessionDocument): LiveState {
  const { snapshots, messages, revisions, archives, lastTurn, finishedTurns, commits } = document;
  const history = historyOf(KeyedVector.from(messages), PersistentVector.from(revisions), archives);
  return {
    status: "live",
    // Field by field: an unknown field named `turn` or `status` must not become part of the state.
    ...fieldsOf(document),
    ...unknownDocumentFields(document),
    ...(lastTurn === undefined ? {} : { lastTurn }),
    history,
    // Without this field it is unknown what was rewritten, so only a base at this exact revision is safe.
    rewrittenAt: document.rewrittenAt ?? document.revision,
    snapshots: snapshots.map((snapshot) => snapshotOf(snapshot, document, history)),
    queue: [],
    finishedTurns: TwoGenerationMemory.from(finishedTurns),
    commits: recallAlso(EMPTY_WINDOW, commits),
  };
}

function snapshotOf(snapshot: SnapshotDocument, document: SessionDocument, history: History): Snapshot {
  const { name, createdAt, revision, messageCount, shared, messages, archives } = snapshot;
  const info = { name, createdAt, revision, messageCount, ...unknownSnapshotFields(snapshot) };
  const unchanged =
    messages.length === 0 && shared === document.messages.length && equalArchives(archives, document);
  if (unchanged) return { ...info, history };
  return { ...info, history: branched(history, snapshot) };
}

/** The messages that a snapshot has in common with the session are shared, not stored twice. */
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
