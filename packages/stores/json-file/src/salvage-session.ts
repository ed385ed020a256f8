import { cp } from "node:fs/promises";
import { join } from "node:path";
import {
  applyCommit,
  createStore,
  documentOf,
  type Finding,
  SessionError,
  type SessionState,
  type Verification,
} from "@sessions/protocol";
import { requestOf } from "./commit-entry.js";
import { JournalPlace } from "./journal-place.js";
import { JsonFileBackend } from "./json-file-backend.js";
import { openJsonFileContext } from "./json-file-context.js";
import { folderName } from "./session-path.js";
import { type Survey, surveyed } from "./survey.js";
import { verified } from "./verified.js";

/** Which session to salvage, and where to. */
export interface SalvageOptions {
  /** The store's folder. */
  readonly root: string;
  /** The damaged session. It stays as it is. */
  readonly sessionId: string;
  /** The session that gets what could be saved. It must not exist. */
  readonly newId: string;
  /**
   * Also applies the commits behind the damage that still make sense without those that are lost. What they add is
   * there; what they were made upon may not be.
   * @default false
   */
  readonly beyondDamage?: boolean | undefined;
}

/** What was saved of a session, and what was not. */
export interface Salvaged {
  readonly sessionId: string;
  readonly revision: number;
  readonly messages: number;
  readonly findings: readonly Finding[];
  /** Which life of its id the damaged session was; forks of it name this one. */
  readonly incarnation: string;
  /** The highest revision that can be read of it, whether that commit could be saved or not. */
  readonly reached: number;
  /** Commits behind the damage that were applied all the same. */
  readonly appliedBeyond: number;
  /** Commits behind the damage that were left out. */
  readonly leftOut: number;
  /** The folder with a copy of every byte of the damaged session. */
  readonly quarantine: string;
}

/** Makes a new session of everything in a damaged one that still counts. Nothing is changed in place. */
export async function salvageSession(options: SalvageOptions): Promise<Salvaged> {
  const { root, sessionId, newId, beyondDamage = false } = options;
  const context = await openJsonFileContext({ root, readOnly: false });
  await using store = createStore(new JsonFileBackend(context));
  const place = new JournalPlace(context, folderName(sessionId));
  const { findings } = await requireDamaged(place, sessionId);
  const survey = surveyed(place) ?? NOTHING;
  const quarantine = await copied(place, join(context.root, "quarantine"));
  if (survey.id !== undefined && survey.id !== sessionId) throw nothingLeft(sessionId, quarantine);
  const { state, applied } = beyondDamage ? replayed(survey, sessionId) : { state: survey.state, applied: 0 };
  if (state?.status !== "live") throw nothingLeft(sessionId, quarantine);
  const session = documentOf(state);
  const bundle = { format: "sessions-bundle", version: 1, sessionId, session } as const;
  const { revision } = await store.importSession(bundle, { newId, ifAbsent: true });
  return {
    sessionId: newId,
    revision,
    messages: session.messages.length,
    findings,
    incarnation: session.incarnation,
    reached: Math.max(session.revision, ...survey.stranded.map(({ r }) => r)),
    appliedBeyond: applied,
    leftOut: survey.stranded.length - applied,
    quarantine,
  };
}

/** Repairing what is sound would only lose something. */
export async function requireDamaged(place: JournalPlace, sessionId: string): Promise<Verification> {
  const verification = await verified(place, sessionId);
  if (verification?.ok === false) return verification;
  const message = `Session "${sessionId}" is not damaged, or not there. There is nothing to salvage.`;
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.sessionId", sessionId });
}

/** What a folder comes to that holds no segment. */
const NOTHING: Pick<Survey, "id" | "state" | "stranded"> = { id: undefined, state: undefined, stranded: [] };

function replayed(
  { state, stranded }: Pick<Survey, "state" | "stranded">,
  sessionId: string,
): { readonly state: SessionState | undefined; readonly applied: number } {
  let next = state;
  let applied = 0;
  for (const entry of stranded) {
    const step = applyCommit(next, requestOf(sessionId, entry));
    if (step.outcome.status === "applied") applied++;
    next = step.state;
  }
  return { state: next, applied };
}

async function copied(place: JournalPlace, quarantine: string): Promise<string> {
  const to = join(quarantine, `${place.name}-${place.context.nonce(4)}`);
  await cp(place.folder, to, { recursive: true, errorOnExist: true, force: false });
  return to;
}

function nothingLeft(sessionId: string, quarantine: string): SessionError {
  const message = `Nothing of session "${sessionId}" can be read. Its bytes are in ${quarantine}; restore it from a copy.`;
  return SessionError.of("SESSION_CORRUPTED", message, { sessionId, location: quarantine });
}
