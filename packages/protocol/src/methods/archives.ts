import { type MutationOptions, READ_OPTIONS, type ReadOptions } from "../api/mutation.js";
import { ARCHIVE_QUERY, type ArchiveQuery } from "../api/queries.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireCount } from "../arguments/require-value.js";
import { afterCommit } from "../commit/after-commit.js";
import { openCall } from "../commit/call.js";
import { commitPlanned, type Plan } from "../commit/commit-planned.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import type { Message } from "../message/message.js";
import { archiveBoundary } from "../message/windows/archive-boundary.js";
import { tailIsClosed } from "../message/windows/tail-is-closed.js";
import { readTail, type Tail } from "../reading/read-tail.js";
import { runRead } from "../reading/run-read.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import { startRevisionOf } from "../state/turn-token.js";
import { checkBudget } from "../validate/queries.js";

export async function archiveMessages(
  context: StoreContext,
  id: string,
  archiveQuery: ArchiveQuery = {},
  options?: MutationOptions,
): Promise<ArchiveInfo | undefined> {
  const query = requireOptions(archiveQuery, ARCHIVE_QUERY, "query");
  optional(query.keepRecent, "query.keepRecent", (value, at) => requireCount(value, at));
  checkBudget(query.keepTokens, query.countTokens, "query.keepTokens");
  const given = { ...field("keepRecent", query.keepRecent), ...field("keepTokens", query.keepTokens) };
  const call = openCall(context, id, "archiveMessages", () => given, options);
  const archiveId = call.ids.restart()();
  const { outcome } = await commitPlanned(context, call, () => planArchive(context, id, archiveId, query));
  if (outcome.status === "unchanged") return undefined;
  const record = await afterCommit(context.clock, { sessionId: id, commitId: call.ids.commitId }, () =>
    context.backend.read(id, { messages: "none" }),
  );
  return record?.archives.find((archive) => archive.id === archiveId);
}

async function planArchive(
  context: StoreContext,
  id: string,
  archiveId: string,
  query: ArchiveQuery,
): Promise<Plan> {
  // Drafts cannot be archived, so the tail ends before the oldest draft.
  const partial = (await context.backend.read(id, { messages: "none" }))?.partials[0];
  const firstSize = Math.min(query.keepRecent ?? 0, 4096) + 32;
  const range = { ...field("before", partial) };
  const tail = await readTail(context, id, { range, firstSize, revisions: true }, (read) =>
    boundaryIsCertain(read, query),
  );
  if (tail === undefined) throw sessionNotFound(id);
  const through = tail.messages[boundaryIn(tail, query) - 1];
  if (through === undefined) return { ops: [], revision: tail.record.revision };
  return { ops: [{ op: "archive", archiveId, through: through.id }], ifRevision: tail.record.revision };
}

function boundaryIn({ messages, record }: Tail, query: ArchiveQuery): number {
  const { turn, partials } = record;
  // Everything after the oldest draft stays live.
  const behind = partials.length === 0 ? 0 : 1;
  const keepRecent = Math.max(0, (query.keepRecent ?? 0) - behind);
  return archiveBoundary(messages, { ...query, keepRecent, turnRunning: turn !== undefined });
}

/** Whether older messages cannot move the boundary. */
function boundaryIsCertain(tail: Tail, query: ArchiveQuery): boolean {
  const boundary = boundaryIn(tail, query);
  return boundary > 0 && tailIsClosed(tail.messages, boundary) && reachesTurn(tail);
}

/** The tool calls of a running turn come after its start, so the tail must reach back to it. */
function reachesTurn({ record }: Tail): boolean {
  if (record.turn === undefined) return true;
  return (record.revisions?.[0] ?? 0) < startRevisionOf(record.turn.token);
}

export function getArchive(
  context: StoreContext,
  id: string,
  archiveId: string,
  options: ReadOptions = {},
): Promise<ArchiveInfo & { readonly messages: Message[] }> {
  return runRead(context, options, READ_OPTIONS, async () => {
    requireId(id, "id", context.limits);
    requireId(archiveId, "archiveId", context.limits);
    const record = await context.backend.read(id, { messages: { archive: archiveId } });
    if (record === undefined) throw sessionNotFound(id);
    const info = record.archives.find((archive) => archive.id === archiveId);
    if (info === undefined)
      throw SessionError.of("ARCHIVE_NOT_FOUND", `Session "${id}" has no archive "${archiveId}".`, {
        sessionId: id,
        archiveId,
      });
    return { ...info, messages: [...record.messages] };
  });
}
