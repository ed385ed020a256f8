import {
  applyCommit,
  type CommitRequest,
  documentOf,
  readState,
  type SessionBackend,
  type SessionState,
  stateAt,
} from "@sessions/protocol/backend";

/** A session after one of its commits. */
export interface Version {
  readonly state: SessionState | undefined;
  readonly revision: number;
  /** The commit that made it; none made the first one. */
  readonly commit: string | undefined;
}

/** A commit that was accepted, with the revision that it led to. */
export interface Accepted {
  readonly request: CommitRequest;
  readonly revision: number;
}

/** Everything that a session was, one commit after the other, by the reference semantics. */
export function versionsOf(
  start: SessionState | undefined,
  accepted: readonly Accepted[],
): readonly Version[] {
  const versions: Version[] = [{ state: start, revision: start?.revision ?? 0, commit: undefined }];
  for (const { request, revision } of accepted.toSorted((a, b) => a.revision - b.revision)) {
    const { outcome, state } = applyCommit(versions.at(-1)?.state, request);
    if (outcome.status !== "applied" || outcome.revision !== revision)
      throw new Error(`the recorded run itself went wrong: commit ${request.id} led to revision ${revision}`);
    versions.push({ state, revision, commit: request.id });
  }
  return versions;
}

/** What users can see of a state: its whole document, and its turn. Equal texts are equal sessions. */
export function viewOf(sessionId: string, stored: SessionState | undefined, now: number): string {
  const state = stateAt(stored, now);
  if (state?.status !== "live") return "absent";
  return JSON.stringify([documentOf(state), readState(sessionId, state, { messages: "none" })]);
}

/** The same, as a store returns it. */
export async function viewThrough(backend: SessionBackend, sessionId: string): Promise<string> {
  const document = await backend.document(sessionId);
  const record = await backend.read(sessionId, { messages: "none" });
  return document === undefined && record === undefined ? "absent" : JSON.stringify([document, record]);
}
