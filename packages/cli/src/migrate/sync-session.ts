import {
  adopt,
  type SessionBundle,
  SessionError,
  type SessionStore,
  type SessionSummary,
} from "@sessions/protocol";
import { isDamage } from "../sessions/all-sessions.js";

/** The result of copying one session. */
export type Synced =
  /** `incarnation`: that of the session in the target. */
  | {
      readonly status: "copied" | "updated" | "same";
      readonly sessionId: string;
      readonly incarnation: string;
    }
  | { readonly status: "gone"; readonly sessionId: string }
  | { readonly status: "conflict" | "damaged"; readonly sessionId: string; readonly problem: string };

/** How to copy a session. */
export interface SyncOptions {
  /** Writes nothing, and returns what would be done. */
  readonly dryRun: boolean;
  /** Whether this run has written this incarnation of the session to the target. */
  readonly isOurs: (sessionId: string, incarnation: string) => boolean;
}

type Head = Pick<SessionSummary, "id" | "revision" | "incarnation">;

/**
 * Copies a session to the target in one commit. `target` is undefined in a dry run with a target that does not exist. An existing session of the target is replaced only if it is an earlier revision of
 * the same incarnation. Any other session was written by somebody else, and stays.
 */
export async function syncSession(
  source: SessionStore,
  target: SessionStore | undefined,
  head: Head,
  options: SyncOptions,
): Promise<Synced> {
  const { id: sessionId } = head;
  const same = { status: "same", sessionId } as const;
  const there = await headIn(target, sessionId);
  if (there !== undefined && "problem" in there)
    return { status: "conflict", sessionId, problem: there.problem };
  if (there !== undefined && sameRevision(there, head)) return { ...same, incarnation: head.incarnation };
  const bundle = await exported(source, sessionId);
  if (!("format" in bundle)) return bundle;
  if (target === undefined || there === undefined) return created(target, bundle, options);
  const { incarnation } = bundle.session;
  if (sameRevision(there, bundle.session)) return { ...same, incarnation };
  const earlier = there.revision < bundle.session.revision;
  const related = there.incarnation === incarnation || options.isOurs(sessionId, there.incarnation);
  if (!earlier || !related) return conflict(sessionId, earlier, there.revision);
  return adopted(target, bundle, there.revision, options);
}

function sameRevision(one: Omit<Head, "id">, other: Omit<Head, "id">): boolean {
  return one.revision === other.revision && one.incarnation === other.incarnation;
}

async function exported(source: SessionStore, sessionId: string): Promise<SessionBundle | Synced> {
  try {
    return await source.exportSession(sessionId);
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return { status: "gone", sessionId };
    if (isDamage(error)) return { status: "damaged", sessionId, problem: error.message };
    throw error;
  }
}

/** The session of the target, which may be damaged there. */
async function headIn(
  target: SessionStore | undefined,
  sessionId: string,
): Promise<Head | { readonly problem: string } | undefined> {
  try {
    return await target?.getSession(sessionId, { messages: "none" });
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { problem: `The target's session is damaged: ${error.message}` };
  }
}

async function created(
  target: SessionStore | undefined,
  bundle: SessionBundle,
  { dryRun }: SyncOptions,
): Promise<Synced> {
  if (!dryRun) await target?.importSession(bundle);
  const { sessionId, session } = bundle;
  return { status: "copied", sessionId, incarnation: session.incarnation };
}

async function adopted(
  target: SessionStore,
  { sessionId, session }: SessionBundle,
  ifRevision: number,
  { dryRun }: SyncOptions,
): Promise<Synced> {
  try {
    if (!dryRun) await target.commit(sessionId, adopt(session), { ifRevision });
    return { status: "updated", sessionId, incarnation: session.incarnation };
  } catch (error) {
    if (!SessionError.is(error, "REVISION_CONFLICT", "TURN_BUSY")) throw error;
    return {
      status: "conflict",
      sessionId,
      problem: `Another program writes to it in the target: ${error.message}`,
    };
  }
}

function conflict(sessionId: string, earlier: boolean, revision: number): Synced {
  const problem = earlier
    ? "The target has another session with this id."
    : `The session of the target is at revision ${revision}, which is later than that of the source: another program wrote to it there.`;
  return { status: "conflict", sessionId, problem };
}
