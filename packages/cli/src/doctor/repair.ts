import type { LostCommit, Rescue, StoreTools } from "@sessions/config";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { counted, countedAre } from "../render/counted.js";

/** The result of repairing one damaged session. */
export interface Repaired {
  readonly status: "restored" | "saved" | "put-away" | "left";
  /** Whether nothing is lost, as far as the store knows. */
  readonly whole: boolean;
  /** A sentence for the user. */
  readonly told: string;
  readonly messages?: number;
  /** The location of the damaged original. */
  readonly kept?: string;
  /** The session with the saved content. */
  readonly savedAs?: string;
  /** Every commit that could not be saved, as far as the store knows. */
  readonly lost?: readonly LostCommit[];
}

/** Opens the store again, because a session can be quarantined only while no store has it open. */
export type Reopen = <Result>(work: (store: SessionStore) => Promise<Result>) => Promise<Result>;

/**
 * Saves what can be saved of a damaged session, by copy: every byte of it is kept elsewhere before its id is used again.
 * Whenever this is cut off, what was saved so far is a session that can be read.
 */
export async function repairSession(sessionId: string, tools: StoreTools, reopen: Reopen): Promise<Repaired> {
  const { salvage, quarantine } = tools;
  if (salvage === undefined) return left(`This store has no way to repair it. ${restoreHint(sessionId)}`);
  try {
    const savedAs = await freeId(sessionId, reopen);
    const rescue = await salvage(sessionId, savedAs).catch(nothingLeft);
    if (quarantine === undefined) return saved(sessionId, rescue, savedAs);
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
    // If this process must not read one session, the others are repaired all the same.
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
  // The same incarnation at no lower revision, so that forks find their parent and watchers never go back.
  const same = { ...session, incarnation, revision: Math.max(session.revision, reached) };
  await store.importSession({ format: "sessions-bundle", version: 1, sessionId, session: same });
  await store.deleteSession(savedAs);
  const copy = rescue.kept === kept ? "" : `, a copy of them in ${rescue.kept}`;
  const told = `${lossOf(rescue)} The damaged bytes are in ${kept}${copy}.`;
  return { status: "restored", whole: isWhole(rescue), told, messages, kept, ...(lost && { lost }) };
}

function saved(sessionId: string, rescue: Rescue | undefined, savedAs: string): Repaired {
  if (rescue === undefined) return left(`Nothing of it can be read. ${restoreHint(sessionId)}`);
  const [id, copy] = [quoted(sessionId), quoted(savedAs)];
  const stays = `The damaged session stays as it is until you delete it: sessions rm ${id}. Then its id is free: sessions fork ${copy} --as ${id}`;
  const told = `What can be read is now "${savedAs}". ${lossOf(rescue)} ${stays}`;
  return { status: "saved", whole: isWhole(rescue), told, messages: rescue.messages, savedAs };
}

/** How to replace a damaged session by that of a backup. */
function restoreHint(sessionId: string): string {
  return `To restore it from a backup, delete it first: sessions rm ${quoted(sessionId)}`;
}

/** An id as an argument for a shell. */
function quoted(id: string): string {
  return /^[\w.:@/-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
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

/** The number of lost commits that are printed. `--json` has all of them, with the reasons. */
const MAX_PRINTED_COMMITS = 20;

function lostOnes(lost: readonly LostCommit[]): string {
  if (lost.length === 0) return "";
  const told = lost
    .slice(0, MAX_PRINTED_COMMITS)
    .map(({ revision, commitId }) => `revision ${revision}${commitId === undefined ? "" : ` (${commitId})`}`);
  const more = lost.length > MAX_PRINTED_COMMITS ? `, and ${lost.length - MAX_PRINTED_COMMITS} more` : "";
  return ` ${countedAre(lost.length, "commit")} lost: ${told.join(", ")}${more}.`;
}

/** Accepts that even the head cannot be read, so that only bytes can be copied. Rethrows any other error. */
function nothingLeft(error: unknown): undefined {
  if (!SessionError.is(error, "SESSION_CORRUPTED")) throw error;
}

/** An unused id that begins with the id of the session, so that users recognise it. */
function freeId(sessionId: string, reopen: Reopen): Promise<string> {
  const stem = Buffer.byteLength(sessionId) <= 480 ? `${sessionId}.salvaged` : "salvaged";
  return reopen(async (store) => {
    for (let n = 1; ; n++) {
      const id = n === 1 ? stem : `${stem}-${n}`;
      if (!(await store.sessionExists(id))) return id;
    }
  });
}
