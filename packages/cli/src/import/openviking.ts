import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ArchiveSummary, JsonObject, Message } from "@sessions/protocol";
import { type Aside, aside } from "./aside.js";
import { objectIn, textField, timeIn, withoutNulls } from "./fields.js";
import { foreignMessages } from "./foreign-messages.js";
import { type ForeignArchive, type Imported, importedSession } from "./imported-session.js";
import { jsonLines, parsed } from "./json-lines.js";

/** Whether a folder is a session of OpenViking's. */
export const isOpenVikingSession = (folder: string): boolean =>
  existsSync(join(folder, "messages.jsonl")) || existsSync(join(folder, "history"));

/**
 * A session of OpenViking: a folder. An archive there is several files, and a crash between them can leave archived
 * messages among the live ones. Which those are is decided by their ids; no count is trusted.
 */
export async function* openvikingSource(folder: string, id?: string): AsyncGenerator<Imported> {
  const meta = await metaOf(folder);
  const createdAt = timeIn(meta.fields["created_at"]) ?? Math.floor((await stat(folder)).mtimeMs);
  const known = new Set<string>();
  const archives: ForeignArchive[] = [];
  const asides: Aside[] = [...meta.asides];
  const notes: string[] = [];
  for (const name of await archiveNames(folder)) {
    const read = await messagesIn(join(folder, "history", name), `history/${name}/messages.jsonl`, createdAt);
    asides.push(...read.asides);
    const messages = fresh(read.messages, known);
    if (messages.length === 0) notes.push(`${name} holds no messages of its own, and was left out.`);
    else archives.push({ id: name, messages, ...(await settled(join(folder, "history", name), messages)) });
  }
  const read = await messagesIn(folder, "messages.jsonl", createdAt);
  const live = fresh(read.messages, known);
  const returned = read.messages.length - live.length;
  if (returned > 0)
    notes.push(
      `${returned} archived messages were still among the live ones: a clear was lost. They stay archived.`,
    );
  const updatedAt = timeIn(meta.fields["updated_at"]) ?? createdAt;
  yield importedSession("openviking", {
    id: id ?? textField(meta.fields["session_id"]) ?? basename(folder),
    createdAt,
    updatedAt: Math.max(updatedAt, ...live.map((message) => message.createdAt)),
    labels: { user: textField(meta.fields["created_by_user_id"]) },
    metadata: withoutNulls({ openviking: meta.fields }),
    archives,
    live,
    snapshots: [],
    asides: [...asides, ...read.asides],
    notes,
  });
}

/** The session id that a folder says it has. */
export async function openVikingId(folder: string): Promise<string> {
  return textField((await metaOf(folder)).fields["session_id"]) ?? basename(folder);
}

async function metaOf(
  folder: string,
): Promise<{ readonly fields: JsonObject; readonly asides: readonly Aside[] }> {
  const file = join(folder, ".meta.json");
  if (!existsSync(file)) return { fields: {}, asides: [] };
  const bytes = await readFile(file);
  const fields = objectIn(parsed(bytes.toString("utf8")));
  return fields === undefined
    ? { fields: {}, asides: [aside(".meta.json", undefined, "is not JSON", bytes)] }
    : { fields, asides: [] };
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
): Promise<{ readonly messages: readonly Message[]; readonly asides: readonly Aside[] }> {
  const file = join(folder, "messages.jsonl");
  if (!existsSync(file)) return { messages: [], asides: [] };
  const values: unknown[] = [];
  const asides: Aside[] = [];
  for await (const line of jsonLines(file, name)) {
    if ("aside" in line) asides.push(line.aside);
    else values.push(line.value);
  }
  const read = foreignMessages(values, name, startedAt);
  return { messages: read.messages, asides: [...asides, ...read.asides] };
}

/** Those whose ids were not seen before. */
function fresh(messages: readonly Message[], known: Set<string>): readonly Message[] {
  const others = messages.filter(({ id }) => !known.has(id));
  for (const { id } of others) known.add(id);
  return others;
}

/** Only an archive that finished has a summary to rely on. */
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
