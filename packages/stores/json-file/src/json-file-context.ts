import { join, resolve } from "node:path";
import {
  type LeaseClock,
  loopShare,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/backend";
import { leftovers } from "./commit/leftovers.js";
import { FileHandles } from "./engine/file-handles.js";
import type { FileSystem } from "./engine/file-system.js";
import { type Modes, nodeFileSystem } from "./engine/node-file-system.js";
import { nonce } from "./engine/nonce.js";
import { readOnlyFileSystem } from "./engine/read-only-file-system.js";
import { type Access, accessOf, readOnlyRefusal } from "./engine/root/access.js";
import { checkFileSystem } from "./engine/root/check-file-system.js";
import { establishRoot } from "./engine/root/establish-root.js";
import { openingFailure } from "./engine/root/opening-failure.js";
import { StoreFormat } from "./engine/store-format.js";
import { ChangeNotifier } from "./feed/change-notifier.js";
import type { PollInterval } from "./feed/poll-interval.js";
import { JSON_FILE_STORE_OPTIONS, type JsonFileStoreOptions } from "./options.js";
import { NODE_PLATFORM, type Platform } from "./platform.js";
import type { CacheBudget } from "./session/journal-cache.js";
import type { JournalContext } from "./session/journal-context.js";
import { sweepAbandoned } from "./upkeep/sweep-abandoned.js";
import { Warnings } from "./warnings.js";

const DEFAULT_ROTATE_BYTES = 1024 * 1024;
const DEFAULT_LOCK_DEADLINE_MS = 10_000;
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_OPEN_FILES = 256;

/** What would be taken for a folder named "file:". */
const STORE_URL = /^(?:file|sqlite):/i;

/** What a backend on a folder works with. */
export interface JsonFileContext extends JournalContext {
  readonly root: string;
  readonly access: Access;
  readonly handles: FileHandles;
  readonly notifier: ChangeNotifier;
  readonly pollIntervalMs: PollInterval;
  readonly leaseClock: LeaseClock | undefined;
  readonly cacheBudget: CacheBudget;
}

/** Makes the folder a store, if it is none yet, and puts together what works on it. */
export async function openJsonFileContext(
  unchecked: JsonFileStoreOptions,
  replacedFileSystem?: FileSystem,
  replaced: Partial<Platform> = {},
): Promise<JsonFileContext> {
  const options = requireOptions(unchecked, JSON_FILE_STORE_OPTIONS);
  const platform = { ...NODE_PLATFORM, ...replaced };
  const root = resolve(requireRoot(options.root));
  const modes = modesOf(options);
  const warnings = new Warnings(options.onWarning);
  const allowNetwork = options.allowNetworkFileSystem === true;
  checkFileSystem(root, { probe: platform.probe, allowNetwork, warnings });
  const raw = replacedFileSystem ?? nodeFileSystem(modes);
  const access = determineAccess(root, options.readOnly, { ...platform, fileSystem: raw, warnings });
  const handles = new FileHandles(restricted(root, raw, access), warnings, join(root, "format.json"));
  const fileSystem = handles.sparing();
  const format = new StoreFormat(fileSystem, root, nonce);
  await establish(root, { fileSystem, format, access, warnings });
  const clock = options.clock ?? systemClock;
  if (access.mode === "read-write") sweep(join(root, "tmp"), fileSystem, clock.now(), warnings);
  const file = platform.doorbellFile(join(root, "doorbell"), modes.file);
  return {
    root,
    format,
    access,
    warnings,
    fileSystem,
    handles,
    pollIntervalMs: platform.pollIntervalMs,
    leaseClock: platform.leaseClock(),
    notifier: new ChangeNotifier({ file, watchFolder: platform.watchFolder, warnings }),
    lock: platform.fileLock(join(root, "locks"), warnings, modes.folder),
    share: loopShare,
    now: () => clock.now(),
    nonce,
    sessions: join(root, "sessions"),
    tmp: join(root, "tmp"),
    strict: options.durability !== "relaxed",
    writable: access.mode === "read-write",
    rotateBytes: options.rotateBytes ?? DEFAULT_ROTATE_BYTES,
    deadlineMs: options.lockDeadlineMs ?? DEFAULT_LOCK_DEADLINE_MS,
    cacheBudget: {
      maxBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
      maxOpenFiles: options.maxOpenFiles ?? DEFAULT_MAX_OPEN_FILES,
    },
  };
}

function requireRoot(root: string | undefined): string {
  if (root === undefined || root.includes("\0"))
    throw unusableRoot("options.root must be the path of a folder, such as ./sessions.");
  if (STORE_URL.test(root))
    throw unusableRoot(
      `options.root must be a path such as ./sessions, not a URL: ${root}. openStore of @sessions/config opens URLs.`,
    );
  return root;
}

function unusableRoot(message: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.root" });
}

function modesOf({ fileMode = 0o600, folderMode = 0o700 }: JsonFileStoreOptions): Modes {
  return { folder: folderMode, file: fileMode };
}

function determineAccess(
  root: string,
  readOnly: boolean | undefined,
  { warnings, ...system }: Parameters<typeof accessOf>[2] & { readonly warnings: Warnings },
): Access {
  try {
    const access = accessOf(root, readOnly, system);
    if (access.mode === "read-only") {
      const message = `The store in ${root} is open read-only, because ${access.reason}.`;
      warnings.give({ code: "READ_ONLY", message, path: root });
    }
    return access;
  } catch (error) {
    throw openingFailure(error, root, system.fileSystem);
  }
}

function restricted(root: string, fileSystem: FileSystem, access: Access): FileSystem {
  if (access.mode === "read-write") return fileSystem;
  return readOnlyFileSystem(fileSystem, () => readOnlyRefusal(root, access.reason));
}

async function establish(
  root: string,
  {
    fileSystem,
    format,
    access,
    warnings,
  }: Pick<JsonFileContext, "fileSystem" | "format" | "access" | "warnings">,
): Promise<void> {
  try {
    if (access.mode === "read-only") format.checkOnce();
    else await establishRoot(root, fileSystem, format, warnings);
  } catch (error) {
    throw openingFailure(error, root, fileSystem);
  }
}

/** What cannot be removed takes room and does no harm: the store opens all the same. */
function sweep(tmp: string, fileSystem: FileSystem, now: number, warnings: Warnings): void {
  try {
    sweepAbandoned(tmp, fileSystem, now);
  } catch (cause) {
    warnings.give(leftovers(tmp, cause));
  }
}
