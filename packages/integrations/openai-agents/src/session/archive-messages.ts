import { archive, type Message, type OperationInput, settleArchive } from "@sessions/protocol";

/** Moves all messages up to the last of these into an archive, whose summary is this one: nobody summarises it again. */
export function archived(
  messages: readonly Message[],
  archiveId: string,
  summary: string,
): readonly OperationInput[] {
  const last = messages.at(-1);
  return last === undefined ? [] : [archive(last.id, { archiveId }), settleArchive(archiveId, { summary })];
}
