import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ArchiveSummary, JsonObject, Message } from "@sessions/protocol";
import { objectIn, textField } from "../../json/fields.js";
import { countedAre } from "../../render/counted.js";
import { wholeFile } from "../file-size.js";
import { timeIn, withoutNulls } from "../foreign-fields.js";
import { foreignMessages } from "../foreign-messages.js";
import { type ForeignArchive, type Imported, importedSession } from "../imported-session.js";
import { jsonLines, read } from "../json-lines.js";
import { type UnreadableInput, unreadableInput } from "../unreadable-input.js";

/** Whether a folder is a session of OpenViking. */
export const isOpenVikingSession = (folder: string): boolean =>
  existsSync(join(folder, "messages.jsonl")) || existsSync(join(folder, "history"));

/**
 * Reads a session of OpenViking, which is a folder. An archive is several files, and a crash between two writes can leave archived
 * messages among the live ones. Their ids decide which messages are archived, because the stored counts may be wrong.
 */
export async function* openvikingSource(folder: string, id?: string): AsyncGenerator<Imported> {
  const meta = await metaOf(folder);
  const createdAt = timeIn(meta.fields["created_at"]) ?? Math.floor((await stat(folder)).mtimeMs);
  const known = new Map<string, Message>();
  const archives: ForeignArchive[] = [];
  const unreadable: UnreadableInput[] = [...meta.unreadable];
  const notes: string[] = [];
  const taken = async (at: string, name: string): Promise<readonly Message[]> => {
    const read = await messagesIn(at, name, createdAt);
    const own = fresh(read.messages, known, name);
    unreadable.push(...read.unreadable, ...own.unreadable);
    const returned = read.messages.length - own.messages.length;
    if (returned > 0)
      notes.push(
        `${countedAre(returned, "message")} in ${name} and in an archive: a clear was lost. The archive counts.`,
      );
    return own.messages;
  };
  for (const name of await archiveNames(folder)) {
    const messages = await taken(join(folder, "history", name), `history/${name}/messages.jsonl`);
    if (messages.length === 0) notes.push(`${name} holds no messages of its own, and was left out.`);
    else archives.push({ id: name, messages, ...(await settled(join(folder, "history", name), messages)) });
  }
  const live = await taken(folder, "messages.jsonl");
  const updatedAt = timeIn(meta.fields["updated_at"]) ?? createdAt;
  yield importedSession("openviking", {
    id: id ?? textField(meta.fields["session_id"]) ?? basename(folder),
    createdAt,
    updatedAt: live.reduce((latest, message) => Math.max(latest, message.createdAt), updatedAt),
    labels: { user: textField(meta.fields["created_by_user_id"]) },
    metadata: withoutNulls({ openviking: meta.fields }),
    archives,
    live,
    snapshots: [],
    unreadable,
    notes,
  });
}

/** The session id in the files of a folder. */
export async function openVikingId(folder: string): Promise<string> {
  return textField((await metaOf(folder)).fields["session_id"]) ?? basename(folder);
}

async function metaOf(
  folder: string,
): Promise<{ readonly fields: JsonObject; readonly unreadable: readonly UnreadableInput[] }> {
  const file = join(folder, ".meta.json");
  if (!existsSync(file)) return { fields: {}, unreadable: [] };
  const bytes = await wholeFile(file);
  const fields = objectIn(read(bytes).value);
  return fields === undefined
    ? { fields: {}, unreadable: [unreadableInput(".meta.json", undefined, "is not JSON", bytes)] }
    : { fields, unreadable: [] };
}

async function archiveNames(folder: string): Promise<readonly string[]> {
  const history = join(folder, "history");
  if (!existsSync(history)) return [];
  const names = (await readdir(history)).filter((name) => /^archive_\d+$/.test(name));
  return names.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
}

async function messagesIn(
  folder: string,
  name: string,
  startedAt: number,
): Promise<{ readonly messages: readonly Message[]; readonly unreadable: readonly UnreadableInput[] }> {
  const file = join(folder, "messages.jsonl");
  if (!existsSync(file)) return { messages: [], unreadable: [] };
  const values: unknown[] = [];
  const unreadable: UnreadableInput[] = [];
  for await (const line of jsonLines(file, name)) {
    if ("unreadable" in line) unreadable.push(line.unreadable);
    else values.push(line.value);
  }
  const read = foreignMessages(values, name, startedAt, (at) => `${name}-${at}`);
  return { messages: read.messages, unreadable: [...unreadable, ...read.unreadable] };
}

/** Messages whose ids are new. A message with a known id and other content is kept as unreadable input. */
function fresh(
  messages: readonly Message[],
  known: Map<string, Message>,
  name: string,
): { readonly messages: readonly Message[]; readonly unreadable: readonly UnreadableInput[] } {
  const others = messages.filter(({ id }) => !known.has(id));
  const changed = messages.filter((message) => {
    const archived = known.get(message.id);
    return archived !== undefined && !isDeepStrictEqual(archived, message);
  });
  for (const message of others) known.set(message.id, message);
  const problem = "is not what was archived under its id";
  const unreadable = changed.map((message) =>
    unreadableInput(name, undefined, problem, Buffer.from(JSON.stringify(message))),
  );
  return { messages: others, unreadable };
}

/** The summary of an archive. Only a completed archive has one that is reliable. */
async function settled(
  folder: string,
  messages: readonly Message[],
): Promise<{ readonly createdAt: number; readonly summary: ArchiveSummary }> {
  const createdAt = messages.at(-1)?.createdAt ?? 0;
  const overview = join(folder, ".overview.md");
  if (!existsSync(join(folder, ".done")) || !existsSync(overview))
    return { createdAt, summary: { status: "pending" } };
  return {
    createdAt,
    summary: { status: "done", text: await readFile(overview, "utf8"), settledAt: createdAt },
  };
}
