import type { SessionDocument } from "../../session/session-document.js";
import { stateOf } from "../documents/state-of.js";
import { recallAlso } from "../memory/commit-window.js";
import type { LiveState } from "../session-state.js";

/**
 * The session that a document describes, in the place of what was there: what it remembers of commits stays. Its
 * revision is set by the commit, which never lets it run backwards.
 */
export function created(document: SessionDocument, before: Pick<LiveState, "commits">): LiveState {
  const state = stateOf(document);
  return { ...state, commits: recallAlso(before.commits, document.commits) };
}
