import type { SessionDocument } from "../../session/session-document.js";
import { stateOf } from "../documents/state-of.js";
import { recallAlso } from "../memory/commit-window.js";
import type { LiveState } from "../session-state.js";

/**
 * Replaces a session with the one that a document describes. The remembered commit ids stay. The commit sets the
 * revision, which never decreases.
 */
export function created(document: SessionDocument, before: Pick<LiveState, "commits">): LiveState {
  const state = stateOf(document);
  return { ...state, commits: recallAlso(before.commits, document.commits) };
}
