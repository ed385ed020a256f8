import { archive, type OperationInput, type Session, settleArchive } from "@sessions/protocol";

/** Moves all that a session holds into an archive, whose summary is this one: nobody summarises it again. */
export function archived(session: Session, archiveId: string, summary: string): readonly OperationInput[] {
  const last = session.messages.at(-1);
  return last === undefined ? [] : [archive(last.id, { archiveId }), settleArchive(archiveId, { summary })];
}
