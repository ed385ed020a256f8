import type { Message } from "../message/message.js";
import type { SessionDocument, SnapshotDocument } from "../session/session-document.js";
import { fieldsOf } from "./fields-of.js";
import type { History } from "./history.js";
import type { LiveState, Snapshot } from "./session-state.js";

/** A whole session as plain data. */
export function documentOf(state: LiveState): SessionDocument {
  return {
    ...fieldsOf(state),
    messages: state.history.messages.slice(),
    revisions: state.history.revisions.slice(),
    archives: state.history.archives,
    snapshots: state.snapshots.map((snapshot) => snapshotDocument(snapshot, state.history)),
    ...(state.lastTurn === undefined ? {} : { lastTurn: state.lastTurn }),
    finishedTurns: state.finishedTurns.toDocument(),
    commits: state.commits.given.toDocument(),
  };
}

// Most of a snapshot is usually still what the session begins with: that part is not written twice.
function snapshotDocument(snapshot: Snapshot, history: History): SnapshotDocument {
  const messages = snapshot.history.messages.slice();
  const shared = sharedPrefix(messages, history.messages.slice());
  const { name, createdAt, revision, messageCount } = snapshot;
  return {
    name,
    createdAt,
    revision,
    messageCount,
    shared,
    messages: messages.slice(shared),
    revisions: snapshot.history.revisions.slice(shared),
    archives: snapshot.history.archives,
  };
}

function sharedPrefix(messages: readonly Message[], others: readonly Message[]): number {
  let shared = 0;
  while (shared < messages.length && shared < others.length && messages[shared] === others[shared]) shared++;
  return shared;
}
