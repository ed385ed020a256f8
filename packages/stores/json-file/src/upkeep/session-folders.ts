import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { Damage, requireOptions, SessionError } from "@sessions/protocol/backend";
import { nodeFileSystem } from "../engine/node-file-system.js";
import { asDamage } from "../session/as-damage.js";
import { isRefusal } from "../session/concerns-one-session.js";
import { folderName } from "../session/names/folder-name.js";
import { isFolderName } from "../session/names/is-folder-name.js";

/** A folder among those of a store's sessions. */
export interface SessionFolder {
  /** Its path. */
  readonly folder: string;
  /** Whose it is. Absent where neither its name nor its journal tells. */
  readonly sessionId?: string;
}

/**
 * Every folder that a session may be in: also those of deleted sessions, and of damaged ones, which lists leave out. What
 * has no session's name and no journal in it is left out. Nothing is changed.
 */
export function* sessionFolders(options: { readonly root: string }): Generator<SessionFolder> {
  const { root } = requireOptions(options, { root: "text" });
  if (statSync(root, { throwIfNoEntry: false }) === undefined) throw noFolder(root);
  const fileSystem = nodeFileSystem({ folder: 0o700, file: 0o600 });
  const sessions = join(root, "sessions");
  for (const name of fileSystem.list(sessions)) {
    const folder = join(sessions, name);
    const segments = readable(() => fileSystem.list(folder), []).filter((file) => /^\d+\.jsonl$/.test(file));
    if (segments.length === 0 && !isFolderName(name)) continue; // no session's
    const sessionId = idIn(name) ?? segments.map((file) => idAtop(join(folder, file), name)).find(Boolean);
    yield { folder, ...(sessionId === undefined ? {} : { sessionId }) };
  }
}

function noFolder(root: string): SessionError {
  return SessionError.of(
    "STORE_UNAVAILABLE",
    `There is no folder ${root}. Check the path; nothing was made.`,
    {},
  );
}

/** The id that has this name, if its bytes can be read from it. */
function idIn(name: string): string | undefined {
  const bytes = name.replace(/~([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const id = Buffer.from(bytes, "latin1").toString("utf8");
  return folderName(id) === name ? id : undefined;
}

/** The name of a long id is a hash. Its journal's first line says the id, if that much can be read. */
function idAtop(segment: string, name: string): string | undefined {
  const start = readable(() => startOf(segment), "");
  const [, literal] = /"id":("(?:[^"\\]|\\.)*")/.exec(start) ?? [];
  if (literal === undefined) return undefined;
  const id: unknown = readable(() => JSON.parse(literal), undefined);
  return typeof id === "string" && folderName(id) === name ? id : undefined;
}

function startOf(file: string): string {
  const bytes = Buffer.alloc(8192);
  const descriptor = openSync(file, "r");
  try {
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** An entry of another kind, or one that this process may not read, is reported by `verify`. */
function readable<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    const isDamage = error instanceof SyntaxError || asDamage(error, "") instanceof Damage;
    if (isDamage || isRefusal(error)) return otherwise;
    throw error;
  }
}
