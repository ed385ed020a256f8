import { cp } from "node:fs/promises";
import { join } from "node:path";
import {
  createStore,
  documentOf,
  type Finding,
  type OptionNames,
  requireOptions,
  SessionError,
  type Verification,
} from "@sessions/protocol/backend";
import { JsonFileBackend } from "../json-file-backend.js";
import { openJsonFileContext } from "../json-file-context.js";
import { JournalFolder } from "../session/journal-folder.js";
import { folderName } from "../session/names/folder-name.js";
import { type JournalScan, scanIfPossible } from "./journal-scan.js";
import { requireSessionId } from "./require-session-id.js";
import { type LostCommit, salvagedState, stateBeforeDamage } from "./salvaged-state.js";
import { verifySession } from "./verify-session.js";

/** Which session to salvage, and where to. */
export interface SalvageOptions {
  /** The store's folder. */
  readonly root: string;
  /** The damaged session. It stays as it is. */
  readonly sessionId: string;
  /** The session that gets what could be saved. It must not exist. */
  readonly newId: string;
  /**
   * Also applies the commits behind the damage that still make sense without those that are lost, in their order and at
   * their revisions. What they add is there; what they were made upon may not be. `false` saves a state that the session
   * once had.
   * @default true
   */
  readonly beyondDamage?: boolean | undefined;
}

const SALVAGE_OPTIONS: OptionNames<SalvageOptions> = {
  root: "text",
  sessionId: "text",
  newId: "text",
  beyondDamage: "boolean",
};

/** What was saved of a session, and what was not. */
export interface Salvaged {
  readonly sessionId: string;
  readonly revision: number;
  readonly messages: number;
  readonly findings: readonly Finding[];
  /** The incarnation of the damaged session; forks of it name this one. */
  readonly incarnation: string;
  /** The highest revision that can be read of it, whether that commit could be saved or not. */
  readonly reached: number;
  /** Commits behind the damage that were applied all the same. */
  readonly appliedBeyond: number;
  /** Commits behind the damage that can be read and were left out. */
  readonly leftOut: number;
  /** Every commit that is not in the new session, in the order of their revisions. */
  readonly lost: readonly LostCommit[];
  /** The folder with a copy of every byte of the damaged session. */
  readonly quarantine: string;
}

/** Makes a new session of everything in a damaged one that still counts. Nothing is changed in place. */
export async function salvageSession(options: SalvageOptions): Promise<Salvaged> {
  const { root, sessionId, newId, beyondDamage = true } = requireOptions(options, SALVAGE_OPTIONS);
  requireSessionId(sessionId, "options.sessionId");
  requireSessionId(newId, "options.newId");
  const context = await openJsonFileContext({ root, readOnly: false });
  await using store = createStore(new JsonFileBackend(context));
  const folder = new JournalFolder(context, folderName(sessionId));
  const { findings } = await requireDamaged(folder, sessionId);
  const scan = scanIfPossible(folder) ?? NOTHING;
  const quarantine = await copyInto(folder, join(context.root, "quarantine"));
  if (scan.id !== undefined && scan.id !== sessionId) throw nothingLeft(sessionId, quarantine);
  const saved = beyondDamage ? salvagedState(scan, sessionId) : stateBeforeDamage(scan);
  const { state, applied, lost } = saved;
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
    reached: Math.max(session.revision, ...lost.map(({ revision: at }) => at)),
    appliedBeyond: applied,
    leftOut: scan.stranded.length - applied,
    lost,
    quarantine,
  };
}

/** Repairing what is sound would only lose something. */
export async function requireDamaged(folder: JournalFolder, sessionId: string): Promise<Verification> {
  const verification = await verifySession(folder, sessionId);
  if (verification?.ok === false) return verification;
  const message = `Session "${sessionId}" is not damaged, or not there. There is nothing to salvage.`;
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.sessionId", sessionId });
}

/** What a folder comes to that holds no segment. */
const NOTHING: Omit<JournalScan, "path" | "findings"> = {
  id: undefined,
  state: undefined,
  base: undefined,
  stranded: [],
  unreadable: [],
};

async function copyInto(folder: JournalFolder, quarantine: string): Promise<string> {
  const to = join(quarantine, `${folder.name}-${folder.context.nonce(4)}`);
  await cp(folder.path, to, { recursive: true, errorOnExist: true, force: false });
  return to;
}

function nothingLeft(sessionId: string, quarantine: string): SessionError {
  const message = `Nothing of session "${sessionId}" can be read. Its bytes are in ${quarantine}; restore it from a copy.`;
  return SessionError.of("SESSION_CORRUPTED", message, { sessionId, location: quarantine });
}
