import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, EXIT } from "../command/exit-code.js";
import type { ImportKind } from "./detect-kind.js";
import { STANDARD_INPUT } from "./file-lines.js";
import { bundleSource } from "./formats/bundle.js";
import { openaiJsonlSource } from "./formats/openai-jsonl.js";
import { isOpenVikingSession, openVikingId, openvikingSource } from "./formats/openviking.js";
import { praisonaiSource } from "./formats/praisonai.js";
import { uiMessagesSource } from "./formats/ui-messages.js";
import type { Imported } from "./imported-session.js";
import { noSessionsIn } from "./no-sessions.js";
import { requireThere } from "./require-there.js";

/** The import formats. `path` is a file or a folder of files. */
export const SOURCES: Readonly<Record<ImportKind, (path: string) => AsyncIterable<Imported>>> = {
  bundle: (path) =>
    path === STANDARD_INPUT ? bundleSource(path) : fromFiles(path, /\.(json|jsonl|gz)$/, bundleSource),
  "openai-jsonl": (path) => fromFiles(path, /\.jsonl(\.gz)?$/, openaiJsonlSource),
  "ui-messages": (path) => fromFiles(path, /\.jsonl?$/, uiMessagesSource),
  praisonai: (path) => fromFiles(path, /\.json$/, praisonaiSource),
  openviking: fromFolders,
};

async function* fromFiles(
  path: string,
  wanted: RegExp,
  source: (file: string) => AsyncIterable<Imported>,
): AsyncGenerator<Imported> {
  if (!(await requireThere(path)).isFolder) return yield* source(path);
  const names = (await readdir(path)).filter((name) => wanted.test(name)).sort();
  if (names.length === 0) throw noSessionsIn(path);
  for (const name of names) yield* source(join(path, name));
}

async function* fromFolders(path: string): AsyncGenerator<Imported> {
  if (!(await requireThere(path)).isFolder)
    throw new CommandError(`${path} is a file. A session of OpenViking is a folder: name that.`, EXIT.usage);
  if (isOpenVikingSession(path)) return yield* openvikingSource(path);
  const names = (await readdir(path)).sort();
  const folders = names.filter((name) => isOpenVikingSession(join(path, name)));
  if (folders.length === 0) throw noSessionsIn(path);
  const ids = await Promise.all(folders.map((name) => openVikingId(join(path, name))));
  for (const [at, name] of folders.entries()) {
    // Copied sessions may all have the same id. Then the names of their folders distinguish them.
    const unique = ids.filter((id) => id === ids[at]).length === 1;
    yield* openvikingSource(join(path, name), unique ? ids[at] : name);
  }
}
