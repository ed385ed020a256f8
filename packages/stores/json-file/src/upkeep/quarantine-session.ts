import { join } from "node:path";
import { type OptionNames, requireOptions, SessionError } from "@sessions/protocol/backend";
import { openJsonFileContext } from "../json-file-context.js";
import { JournalFolder } from "../session/journal-folder.js";
import { folderName } from "../session/names/folder-name.js";
import { requireSessionId } from "./require-session-id.js";
import { requireDamaged } from "./salvage-session.js";

/** Which session to quarantine. */
export interface QuarantineOptions {
  /** The store's folder. */
  readonly root: string;
  /** The damaged session. */
  readonly sessionId: string;
}

const QUARANTINE_OPTIONS: OptionNames<QuarantineOptions> = { root: "text", sessionId: "text" };

/**
 * Moves a damaged session's folder out of the way, so that its id can be used again. Returns where it is now. Close
 * every store on the folder first: one that has the session open takes it for deleted.
 */
export async function quarantineSession(options: QuarantineOptions): Promise<string> {
  const { root, sessionId } = requireOptions(options, QUARANTINE_OPTIONS);
  requireSessionId(sessionId, "options.sessionId");
  const context = await openJsonFileContext({ root, readOnly: false });
  const folder = new JournalFolder(context, folderName(sessionId));
  await requireDamaged(folder, sessionId);
  const to = join(context.root, "quarantine", `${folder.name}-${context.nonce(4)}`);
  if (context.fileSystem.move(folder.path, to) !== "moved") {
    throw SessionError.of("STORE_UNAVAILABLE", `${folder.path} could not be moved to ${to}.`, { sessionId });
  }
  for (const changed of [join(context.root, "quarantine"), context.sessions]) {
    await context.fileSystem.syncFolder(changed);
  }
  return to;
}
