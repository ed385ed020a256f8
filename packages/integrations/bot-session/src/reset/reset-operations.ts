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
import { destroys, isDealtWith, markOf } from "../conversation/settled-mark.js";

const ARCHIVE_PREFIX = "reset-";
const TURNS_KEY = "bot.turns";
const ACTIVE_KEY = "bot.activeAt";
/** The last archive of a conversation whose end left none. */
const ENDED_KEY = "bot.ended";

/** What stands for an earlier conversation wherever summaries are shown. */
const ENDED = "An earlier conversation ended here.";

/** Whether an archive is a whole conversation that ended. */
function isReset({ id }: Pick<ArchiveInfo, "id">): boolean {
  return id.startsWith(ARCHIVE_PREFIX);
}

/** The archives of the present conversation: those after the last that belongs to one that ended. */
export function presentArchives({
  archives,
  metadata,
}: Pick<SessionSummary, "archives" | "metadata">): readonly ArchiveInfo[] {
  const ended = metadata[ENDED_KEY];
  return archives.slice(archives.findLastIndex((one) => isReset(one) || one.id === ended) + 1);
}

/** What a reset takes away. */
export interface Resetting {
  /** Archives the live messages through this one. */
  readonly through?: string | undefined;
  /** Takes these live messages away before that. Of what may be delivered again, its id and its mark stay. */
  readonly destroyed?: readonly Message[] | undefined;
  readonly newId: () => string;
}

/**
 * Ends the present conversation. Its archive is settled, and so is every other that still waits for a summary: what is
 * not summarised counts as part of the conversation, and would come back with the next context.
 */
export function resetOperations(
  session: Pick<SessionSummary, "archives" | "metadata">,
  { through, destroyed = [], newId }: Resetting,
): readonly OperationInput[] {
  const archiveId = ARCHIVE_PREFIX + newId();
  const open = presentArchives(session).filter(({ summary }) => summary.status !== "done");
  return [
    ...takenAway(destroyed),
    ...(through === undefined
      ? []
      : [archive(through, { archiveId }), settleArchive(archiveId, { summary: ENDED })]),
    ...open.map(({ id }) => settleArchive(id, { summary: ENDED })),
    set({ metadata: { [TURNS_KEY]: 0, [ENDED_KEY]: session.archives.at(-1)?.id ?? null } }),
  ];
}

/** Delivered again, to this conversation or to one that its user was linked to since, a message is known by its id. */
function takenAway(messages: readonly Message[]): readonly OperationInput[] {
  const removed = messages.filter((message) => !isDealtWith(message)).map(({ id }) => id);
  const emptied = messages.filter(isDealtWith).map((message) => destroys(message, markOf(message)));
  return [...(removed.length === 0 ? [] : [remove(removed)]), ...emptied];
}

/** The archive that the operations of a reset make. */
export function archiveIn(ops: readonly OperationInput[]): string | undefined {
  return ops.flatMap((op) => (op.op === "archive" && op.archiveId !== undefined ? [op.archiveId] : []))[0];
}

/** How many turns the present conversation has had. */
export function turnsOf(session: SessionSummary): number {
  return numberIn(session, TURNS_KEY) ?? 0;
}

/** When something last happened, by the bot's clock: a turn ended, or something was said without one. */
export function activeAt(session: SessionSummary): number | undefined {
  return numberIn(session, ACTIVE_KEY);
}

/** Notes that a turn has ended. */
export function turnTaken(turns: number, at: number): OperationInput {
  return set({ metadata: { [TURNS_KEY]: turns, [ACTIVE_KEY]: at } });
}

/** Notes that something was said without a turn. */
export function saidAt(at: number): OperationInput {
  return set({ metadata: { [ACTIVE_KEY]: at } });
}

function numberIn(session: SessionSummary, key: string): number | undefined {
  const value = session.metadata[key];
  return typeof value === "number" ? value : undefined;
}
