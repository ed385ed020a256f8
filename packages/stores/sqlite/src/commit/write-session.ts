import type { SessionState, Tombstone } from "@sessions/protocol/backend";
import type { EndedState } from "../hot-state.js";
import { leaveLife } from "../leave-life.js";
import { LifeWriter } from "../life-writer.js";
import { MemoryWriter } from "../memory-writer.js";
import { placeOf } from "../session/sort-key.js";
import { NOTHING_COUNTED } from "../stored-memory.js";
import { NO_DRAFTS, NO_PARTS, type StoredSession } from "../stored-session.js";
import {
  type ChangedSession,
  type Identity,
  NOTHING_REMEMBERED,
  type WriteContext,
} from "../write-context.js";
import { writeSessionRow } from "./write-session-row.js";

/** Writes one session, within a transaction. Returns it as it is stored then. */
export function writeSession(context: WriteContext, changed: ChangedSession): StoredSession {
  const { before, after, id } = changed;
  const key = before?.key ?? inserted(context, id);
  const change = isTold(before?.state, after) ? context.sessions.nextChange() : (before?.change ?? 0);
  const session = { key, id, version: (before?.version ?? 0) + 1, change };
  if (after.status === "deleted") return writeEnd(context, session, before, after);
  return new LifeWriter(context, session, changed, after).write();
}

/** A renewal is no change that anybody is told of. */
function isTold(before: SessionState | undefined, after: SessionState): boolean {
  return before?.revision !== after.revision || before.status !== after.status;
}

/** The rows of labels and parts name their session, so it must be there first. */
function inserted({ statements }: WriteContext, id: string): number {
  const fields = [0, 0, 0, null, null, null, 0, 0, 0, 0, 0, 0, 0, "", 0] as const;
  return Number(statements.insertSession.run(placeOf(id), id, ...fields).lastInsertRowid);
}

function writeEnd(
  context: WriteContext,
  session: Identity,
  before: StoredSession | undefined,
  after: Tombstone,
): StoredSession {
  const { statements, reader, now } = context;
  leaveLife(context, before);
  statements.deleteLabels.run(session.key);
  statements.deleteMemories.run(session.key, "turn");
  const writer = new MemoryWriter(statements, session.key, now);
  const { commits, generated } = writer.writeCommits(after.commits, before?.counted ?? NOTHING_REMEMBERED);
  const counted = { commits, generated, turns: NOTHING_COUNTED };
  const state: Tombstone = { ...after, commits: reader.window(session.key, counted) };
  const ended: EndedState = { commits, generated };
  const result: StoredSession = {
    ...session,
    partsVersion: 0,
    parts: NO_PARTS,
    counted,
    topId: "",
    drafts: NO_DRAFTS,
    state,
    text: undefined,
  };
  const fields = { ...after, createdAt: after.deletedAt, updatedAt: after.deletedAt };
  writeSessionRow(statements, result, fields, JSON.stringify(ended), undefined);
  return result;
}
