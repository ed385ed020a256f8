import {
  type ArchiveInfo,
  archive,
  type Message,
  type OperationInput,
  remove,
  type SessionSummary,
  set,
  settleArchive,
} from "@sessions/protocol";
import { erase, mustStayKnown, settledMark } from "../conversation/settled-mark.js";

const ARCHIVE_PREFIX = "reset-";
const TURNS_KEY = "bot.turns";
const ACTIVE_KEY = "bot.activeAt";
/** The last archive of a conversation whose end made no archive. */
const ENDED_KEY = "bot.ended";

/** The summary of a conversation that has ended. */
const ENDED_SUMMARY = "An earlier conversation ended here.";

/** Whether an archive is a whole conversation that has ended. */
function isReset({ id }: Pick<ArchiveInfo, "id">): boolean {
  return id.startsWith(ARCHIVE_PREFIX);
}

/** The archives of the present conversation: those after the last one of an ended conversation. */
export function presentArchives({
  archives,
  metadata,
}: Pick<SessionSummary, "archives" | "metadata">): readonly ArchiveInfo[] {
  const ended = metadata[ENDED_KEY];
  return archives.slice(archives.findLastIndex((one) => isReset(one) || one.id === ended) + 1);
}

/** Which messages a reset archives or destroys. */
export interface Reset {
  /** Archives the live messages through this one. */
  readonly through?: string | undefined;
  /** Destroys these live messages before that. Ids and marks stay of those that may be delivered again. */
  readonly destroyed?: readonly Message[] | undefined;
  readonly newId: () => string;
}

/**
 * Ends the present conversation. Its archive gets a summary, and so does every other archive without one: the messages of an archive
 * without a summary would come back with the next context.
 */
export function resetOperations(
  session: Pick<SessionSummary, "archives" | "metadata">,
  { through, destroyed = [], newId }: Reset,
): readonly OperationInput[] {
  const archiveId = ARCHIVE_PREFIX + newId();
  const pending = presentArchives(session).filter(({ summary }) => summary.status !== "done");
  return [
    ...destroyOperations(destroyed),
    ...(through === undefined
      ? []
      : [archive(through, { archiveId }), settleArchive(archiveId, { summary: ENDED_SUMMARY })]),
    ...pending.map(({ id }) => settleArchive(id, { summary: ENDED_SUMMARY })),
    set({ metadata: { [TURNS_KEY]: 0, [ENDED_KEY]: session.archives.at(-1)?.id ?? null } }),
  ];
}

function destroyOperations(messages: readonly Message[]): readonly OperationInput[] {
  const removed = messages.filter((message) => !mustStayKnown(message)).map(({ id }) => id);
  const erased = messages.filter(mustStayKnown).map((message) => erase(message, settledMark(message)));
  return [...(removed.length === 0 ? [] : [remove(removed)]), ...erased];
}

/** The archive that the operations of a reset make. */
export function archiveIn(ops: readonly OperationInput[]): string | undefined {
  return ops.flatMap((op) => (op.op === "archive" && op.archiveId !== undefined ? [op.archiveId] : []))[0];
}

/** The number of turns of the present conversation. */
export function turnsOf(session: SessionSummary): number {
  return numberIn(session, TURNS_KEY) ?? 0;
}

/** The time of the last activity, by the bot's clock: the end of a turn, or a message without one. */
export function activeAt(session: SessionSummary): number | undefined {
  return numberIn(session, ACTIVE_KEY);
}

/** Records the end of a turn. */
export function recordTurn(turns: number, at: number): OperationInput {
  return set({ metadata: { [TURNS_KEY]: turns, [ACTIVE_KEY]: at } });
}

/** Records a message without a turn. */
export function recordActivity(at: number): OperationInput {
  return set({ metadata: { [ACTIVE_KEY]: at } });
}

function numberIn(session: SessionSummary, key: string): number | undefined {
  const value = session.metadata[key];
  return typeof value === "number" ? value : undefined;
}
