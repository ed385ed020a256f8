import { archive, type Message, type OperationInput, settleArchive } from "@sessions/protocol";

/** Archives all messages up to the last of these. The archive gets its summary at once, so that no summariser takes it. */
export function archiveMessages(
  messages: readonly Message[],
  archiveId: string,
  summary: string,
): readonly OperationInput[] {
  const last = messages.at(-1);
  return last === undefined ? [] : [archive(last.id, { archiveId }), settleArchive(archiveId, { summary })];
}
