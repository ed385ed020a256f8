import type { LostCommit, Rescue, StoreTools } from "@sessions/config";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { counted, countedAre } from "../render/counted.js";

/** What was done about one damaged session. */
export interface Repaired {
  readonly status: "restored" | "saved" | "put-away" | "left";
  /** Whether nothing of it is lost, as far as the store can tell. */
  readonly whole: boolean;
  /** In words. */
  readonly told: string;
  readonly messages?: number;
  /** Where all that there was of it is kept. */
  readonly kept?: string;
  /** The session that has what was saved. */
  readonly savedAs?: string;
  /** Every commit that could not be saved, where the store can tell. */
  readonly lost?: readonly LostCommit[];
}

/** Opens the store anew: a session can be put away only while nobody has it open. */
export type Reopen = <Result>(work: (store: SessionStore) => Promise<Result>) => Promise<Result>;

/**
 * Saves what can be saved of a damaged session, by copy: every byte of it is kept elsewhere before its id is used again.
 * Whenever this is cut off, what was saved so far is a session that can be read.
 */
export async function repairSession(sessionId: string, tools: StoreTools, reopen: Reopen): Promise<Repaired> {
  const { salvage, quarantine } = tools;
  if (salvage === undefined) return left("This store has no way to repair it. Restore it from a backup.");
  try {
    const savedAs = await freeId(sessionId, reopen);
    const rescue = await salvage(sessionId, savedAs).catch(nothingLeft);
    if (quarantine === undefined) return saved(rescue, savedAs);
    const kept = await quarantine(sessionId);
    return rescue === undefined
      ? {
          status: "put-away",
          whole: false,
          told: `Nothing of it can be read. Its bytes are in ${kept}; restore it from a backup.`,
          kept,
        }
      : await reopen((store) => restored(store, sessionId, savedAs, rescue, kept));
  } catch (error) {
    // A session that this process may not read is no reason to leave the others damaged.
    if (!SessionError.is(error, "INVALID_ARGUMENT", "STORE_UNAVAILABLE")) throw error;
    return left(`It is left as it is: ${error.message}`);
  }
}

async function restored(
  store: SessionStore,
  sessionId: string,
  savedAs: string,
  rescue: Rescue,
  kept: string,
): Promise<Repaired> {
  const { session } = await store.exportSession(savedAs);
  const { incarnation, reached, messages, lost } = rescue;
  // The same life, at no lower revision: its forks find it, and whoever watches it is not sent back.
  const same = { ...session, incarnation, revision: Math.max(session.revision, reached) };
  await store.importSession({ format: "sessions-bundle", version: 1, sessionId, session: same });
  await store.deleteSession(savedAs);
  const told = `${lossOf(rescue)} The damaged bytes are in ${kept}.`;
  return { status: "restored", whole: isWhole(rescue), told, messages, kept, ...(lost && { lost }) };
}

function saved(rescue: Rescue | undefined, savedAs: string): Repaired {
  if (rescue === undefined) return left("Nothing of it can be read. Restore it from a backup.");
  const told = `What can be read is now "${savedAs}". The damaged session stays as it is. ${lossOf(rescue)}`;
  return { status: "saved", whole: isWhole(rescue), told, messages: rescue.messages, savedAs };
}

function left(told: string): Repaired {
  return { status: "left", whole: false, told };
}

function isWhole({ lost, lostMessages, leftOut }: Rescue): boolean {
  return lost === undefined ? lostMessages === 0 && leftOut === 0 : lost.length === 0;
}

function lossOf({ messages, lostMessages = 0, appliedBeyond, leftOut, lost }: Rescue): string {
  const unread = lostMessages === 0 ? "" : ` ${lostMessages} cannot be read any more.`;
  const beyond =
    appliedBeyond === 0 ? "" : ` ${counted(appliedBeyond, "commit")} behind the damage could be saved too.`;
  const left = leftOut === 0 ? "" : ` ${leftOut} made no sense without what is lost, and were left out.`;
  return `Saved ${counted(messages, "message")}.${unread}${beyond}${lost === undefined ? left : lostOnes(lost)}`;
}

/** In a terminal; `--json` has all of them, with the reasons. */
const MOST_TOLD = 20;

function lostOnes(lost: readonly LostCommit[]): string {
  if (lost.length === 0) return "";
  const told = lost
    .slice(0, MOST_TOLD)
    .map(({ revision, commitId }) => `revision ${revision}${commitId === undefined ? "" : ` (${commitId})`}`);
  const more = lost.length > MOST_TOLD ? `, and ${lost.length - MOST_TOLD} more` : "";
  return ` ${countedAre(lost.length, "commit")} lost: ${told.join(", ")}${more}.`;
}

/** Not even its beginning can be read: then there is nothing to copy but bytes. */
function nothingLeft(error: unknown): undefined {
  if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
}

/** An id like the session's own, for people to recognise, that nobody has. */
function freeId(sessionId: string, reopen: Reopen): Promise<string> {
  const stem = Buffer.byteLength(sessionId) <= 480 ? `${sessionId}.salvaged` : "salvaged";
  return reopen(async (store) => {
    for (let n = 1; ; n++) {
      const id = n === 1 ? stem : `${stem}-${n}`;
      if (!(await store.sessionExists(id))) return id;
    }
  });
}
