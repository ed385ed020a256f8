import type { SessionDocument, SnapshotDocument } from "../../session/session-document.js";
import type { History } from "../history.js";
import type { LiveState, Snapshot } from "../session-state.js";
import { fieldsOf } from "./fields-of.js";

/** A whole session as plain data. */
export function documentOf(state: LiveState): SessionDocument {
  return {
    ...fieldsOf(state),
    messages: state.history.messages.slice(),
    revisions: state.history.revisions.slice(),
    rewrittenAt: state.rewrittenAt,
    archives: state.history.archives,
    snapshots: state.snapshots.map((snapshot) => snapshotDocument(snapshot, state.history)),
    ...(state.lastTurn === undefined ? {} : { lastTurn: state.lastTurn }),
    finishedTurns: state.finishedTurns.toDocument(),
    commits: state.commits.given.toDocument(),
    ...state.unknownFields,
  };
}

// A snapshot usually shares its first messages with the session. That part is not written twice.
function snapshotDocument(snapshot: Snapshot, history: History): SnapshotDocument {
  const messages = snapshot.history.messages.slice();
  const revisions = snapshot.history.revisions.slice();
  // The same message may have been removed and added again. Then its revision differs.
  const shared = Math.min(
    sharedPrefix(messages, history.messages.slice()),
    sharedPrefix(revisions, history.revisions.slice(0, revisions.length)),
  );
  const { name, createdAt, revision, messageCount, unknownFields } = snapshot;
  return {
    name,
    createdAt,
    revision,
    messageCount,
    shared,
    messages: messages.slice(shared),
    revisions: revisions.slice(shared),
    archives: snapshot.history.archives,
    ...unknownFields,
  };
}

function sharedPrefix<Item>(items: readonly Item[], others: readonly Item[]): number {
  let shared = 0;
  while (shared < items.length && shared < others.length && items[shared] === others[shared]) shared++;
  return shared;
}
