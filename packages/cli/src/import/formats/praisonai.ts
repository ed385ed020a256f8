import { basename } from "node:path";
import type { JsonObject, Message } from "@sessions/protocol";
import { listIn, objectIn, textField } from "../../json/fields.js";
import { nameOf } from "../chat-session.js";
import { wholeFile } from "../file-size.js";
import { timeIn, withoutNulls } from "../foreign-fields.js";
import { foreignMessages } from "../foreign-messages.js";
import { type ForeignArchive, type Imported, importedSession } from "../imported-session.js";
import { read } from "../json-lines.js";
import { unreadableInput } from "../unreadable-input.js";

/** Fields that have a counterpart in a session. All others are kept in the metadata, under `praisonai`. */
const KNOWN = [
  "session_id",
  "messages",
  "archived_messages",
  "created_at",
  "updated_at",
  "title",
  "metadata",
  "snapshots",
  "parent_id",
  "forked_from_message_id",
];

/** Reads a session of PraisonAI, which is one JSON file. Its messages have no ids, so they are named by their position. */
export async function* praisonaiSource(file: string): AsyncGenerator<Imported> {
  const bytes = await wholeFile(file);
  const fields = objectIn(read(bytes).value);
  if (fields === undefined || !Array.isArray(fields["messages"]))
    return yield {
      unreadable: [unreadableInput(basename(file), undefined, "is no session of PraisonAI", bytes)],
      notes: [],
    };
  const createdAt = timeIn(fields["created_at"]) ?? 0;
  const archived = foreignMessages(
    listIn(fields["archived_messages"]),
    `${basename(file)}: archived_messages`,
    createdAt,
    (at) => `message-${at}`,
  );
  const count = listIn(fields["archived_messages"]).length;
  const all = foreignMessages(
    listIn(fields["messages"]),
    `${basename(file)}: messages`,
    createdAt,
    (at) => `message-${count + at}`,
  );
  const summary = count > 0 ? all.messages.find(isSummary) : undefined;
  const live = all.messages.filter((message) => message !== summary);
  const notes =
    summary === undefined ? [] : ["The summary that stood among the messages is now that of their archive."];
  yield importedSession("praisonai", {
    id: textField(fields["session_id"]) ?? nameOf(file),
    title: textField(fields["title"]),
    createdAt,
    updatedAt: timeIn(fields["updated_at"]) ?? createdAt,
    labels: {
      agent: textField(fields["agent_id"]) ?? textField(fields["agent_name"]),
      user: textField(fields["user_id"]),
      gatewaySession: textField(fields["gateway_session_id"]),
    },
    metadata: withoutNulls({
      ...objectIn(fields["metadata"]),
      praisonai: withoutNulls({ ...rest(fields), summaryMessage: summary && summaryMessage(fields) }),
    }),
    parent: parentOf(fields),
    archives: archiveOf(archived.messages, summary, createdAt),
    live,
    snapshots: snapshotsOf(fields, live, all.messages),
    unreadable: [...archived.unreadable, ...all.unreadable],
    notes,
  });
}

/** The message that a compaction puts at the beginning, in place of the archived messages. */
function isSummary(message: Message | JsonObject): boolean {
  return message["role"] === "system" && objectIn(message["metadata"])?.["compaction"] === true;
}

/** The summary message of an archive, with all its fields. */
function summaryMessage(fields: JsonObject): JsonObject | undefined {
  return listIn(fields["messages"])
    .map(objectIn)
    .find((message) => message !== undefined && isSummary(message));
}

function archiveOf(
  messages: readonly Message[],
  summary: Message | undefined,
  createdAt: number,
): readonly ForeignArchive[] {
  if (messages.length === 0) return [];
  const at = summary?.createdAt ?? createdAt;
  const text = textField(summary?.content);
  const settled =
    text === undefined
      ? ({ status: "pending" } as const)
      : ({ status: "done", text, settledAt: at } as const);
  return [{ id: "compacted", createdAt: at, messages, summary: settled }];
}

/** A fork gives the index of the last message that it copied. */
function parentOf(
  fields: JsonObject,
): { readonly sessionId: string; readonly messageId?: string } | undefined {
  const sessionId = textField(fields["parent_id"]);
  if (sessionId === undefined) return undefined;
  const index = /^\d+$/.exec(String(fields["forked_from_message_id"] ?? ""))?.[0];
  return { sessionId, ...(index === undefined ? {} : { messageId: `message-${index}` }) };
}

/** A snapshot is the index of its last message. It has all messages up to that one. */
function snapshotsOf(fields: JsonObject, live: readonly Message[], all: readonly Message[]) {
  const named = new Set<string>();
  return listIn(fields["snapshots"]).flatMap((value) => {
    const snapshot = objectIn(value) ?? {};
    const index = snapshot["message_index"];
    const [label, id] = [textField(snapshot["label"]), textField(snapshot["id"])];
    const name = label === undefined || named.has(label) ? id : label;
    if (name === undefined || named.has(name) || typeof index !== "number") return [];
    named.add(name);
    const within = new Set(all.slice(0, index + 1));
    return [
      {
        name,
        createdAt: timeIn(snapshot["created_at"]) ?? 0,
        liveCount: live.filter((message) => within.has(message)).length,
      },
    ];
  });
}

function rest(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !KNOWN.includes(key)));
}
