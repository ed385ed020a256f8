import type { Duplicate } from "../../backend/commit-outcome.js";
import type { CommitRequest } from "../../backend/commit-request.js";
import { SessionError } from "../../errors/session-error.js";
import type { CommitMemory, MemoryDocument } from "../../session/session-document.js";
import type { Memory } from "./memory.js";
import { GENERATED_COMMIT_RETENTION, GIVEN_COMMIT_RETENTION } from "./retention.js";
import { TwoGenerationMemory } from "./two-generation-memory.js";

/** The commit ids that a session remembers. Chosen and generated ids are kept separately, so neither evicts the other. */
export interface CommitWindow {
  readonly given: Memory<CommitMemory>;
  readonly generated: Memory<CommitMemory>;
}

export const EMPTY_WINDOW: CommitWindow = {
  given: TwoGenerationMemory.empty(),
  generated: TwoGenerationMemory.empty(),
};

/** Looks a request up: returns the first outcome, throws a refusal, or returns `undefined` for a new request. */
export function recall(window: CommitWindow, request: CommitRequest): Duplicate | undefined {
  const memory = window.given.get(request.id) ?? window.generated.get(request.id);
  if (memory === undefined) {
    refuseUnjudgeable(window, request);
    return undefined;
  }
  // A generated id has no digest. Only a caller that got it in OUTCOME_UNKNOWN can send it again, and it means the same
  // call.
  if (memory.digest !== undefined && memory.digest !== request.digest) throw reused(request);
  const { revision, at, skipped, receipt } = memory;
  return {
    status: "duplicate",
    revision,
    at,
    ...(skipped === undefined ? {} : { skipped }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/** The window with one more commit. */
export function remember(
  window: CommitWindow,
  request: CommitRequest,
  result: { readonly revision: number; readonly at: number; readonly skipped: readonly string[] },
): CommitWindow {
  const { revision, at, skipped } = result;
  if (request.digest === undefined) {
    const memory =
      skipped.length === 0 ? { id: request.id, revision, at } : { id: request.id, revision, at, skipped };
    return { given: window.given, generated: window.generated.add(memory, GENERATED_COMMIT_RETENTION) };
  }
  const receipt = request.receipt === undefined ? {} : { receipt: request.receipt };
  const memory = { id: request.id, digest: request.digest, revision, at, ...some(skipped), ...receipt };
  return { ...window, given: withoutId(window.given, request.id).add(memory, GIVEN_COMMIT_RETENTION) };
}

// An imported document may contain the id of the commit that imports it. From then on the id stands for the import.
function withoutId(given: CommitWindow["given"], id: string): CommitWindow["given"] {
  if (given.get(id) === undefined) return given;
  const { entries, horizon } = given.toDocument();
  return TwoGenerationMemory.from({ entries: entries.filter((entry) => entry.id !== id), horizon });
}

/** Adds the chosen commit ids of a document, such as an imported session. */
export function recallAlso(window: CommitWindow, commits: MemoryDocument<CommitMemory>): CommitWindow {
  const entries = [...window.given.toDocument().entries];
  const known = new Set(entries.map((entry) => entry.id));
  entries.push(...commits.entries.filter((entry) => !known.has(entry.id)));
  entries.sort((a, b) => a.at - b.at);
  return {
    ...window,
    given: TwoGenerationMemory.from({ entries, horizon: Math.max(window.given.horizon, commits.horizon) }),
  };
}

function some(skipped: readonly string[]): { readonly skipped?: readonly string[] } {
  return skipped.length === 0 ? {} : { skipped };
}

function refuseUnjudgeable(window: CommitWindow, request: CommitRequest): void {
  if (request.ageMs === undefined) return;
  const { horizon } = request.digest === undefined ? window.generated : window.given;
  if (request.at - request.ageMs > horizon) return;
  throw SessionError.of(
    "OUTCOME_UNKNOWN",
    `Commit "${request.id}" was sent too long ago to tell whether it was applied. Read the session to find out.`,
    { commitId: request.id, sessionId: request.sessionId },
  );
}

function reused(request: CommitRequest): SessionError {
  return SessionError.of(
    "COMMIT_ID_REUSED",
    `Commit id "${request.id}" was used for another request. Use a new id for a new request.`,
    { commitId: request.id, sessionId: request.sessionId },
  );
}
