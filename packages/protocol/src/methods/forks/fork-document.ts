import { SessionError } from "../../errors/session-error.js";
import type { JsonObject } from "../../json/json.js";
import type { Message } from "../../message/message.js";
import type { ArchiveInfo } from "../../session/archive-info.js";
import type { SessionDocument } from "../../session/session-document.js";
import { patched } from "../../state/apply/set.js";
import { newDocument } from "../new-document.js";

/** Where a fork starts: at a message, at a snapshot, or at the end. */
export interface ForkPoint {
  readonly messageId?: string;
  readonly snapshot?: string;
}

interface ForkFields {
  readonly incarnation: string;
  readonly now: number;
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/**
 * The document of a fork: the parent's messages and archives up to the fork point, its title, labels and metadata. It
 * has no turn, expiry, commit ids, counters or snapshots. Its drafts are interrupted, because no turn writes them.
 */
export function forkDocument(
  parentId: string,
  parent: SessionDocument,
  point: ForkPoint,
  fields: ForkFields,
): SessionDocument {
  const { messages, archives } = taken(parentId, parent, point);
  const title = fields.title ?? parent.title;
  return {
    ...newDocument(fields.incarnation, fields.now),
    ...(title === undefined ? {} : { title }),
    labels: parent.labels,
    metadata: patched(parent.metadata, fields.metadata),
    parent: {
      sessionId: parentId,
      incarnation: parent.incarnation,
      ...(point.messageId === undefined ? {} : { messageId: point.messageId }),
    },
    messages: messages.map(abandoned),
    revisions: messages.map(() => 1),
    archives,
  };
}

interface Taken {
  readonly messages: readonly Message[];
  readonly archives: readonly ArchiveInfo[];
}

function taken(parentId: string, parent: SessionDocument, point: ForkPoint): Taken {
  if (point.snapshot !== undefined) return atSnapshot(parentId, parent, point.snapshot);
  return point.messageId === undefined ? parent : atMessage(parentId, parent, point.messageId);
}

function atSnapshot(parentId: string, parent: SessionDocument, name: string): Taken {
  const snapshot = parent.snapshots.find((candidate) => candidate.name === name);
  if (snapshot === undefined) {
    throw SessionError.of("SNAPSHOT_NOT_FOUND", `Session "${parentId}" has no snapshot "${name}".`, {
      sessionId: parentId,
      snapshot: name,
    });
  }
  return {
    messages: [...parent.messages.slice(0, snapshot.shared), ...snapshot.messages],
    archives: snapshot.archives,
  };
}

/**
 * The history up to and with a message. If the message is archived, the earlier archives are included and its own
 * archive is dropped unless it ends with the message.
 */
function atMessage(parentId: string, parent: SessionDocument, messageId: string): Taken {
  const index = parent.messages.findIndex((message) => message.id === messageId);
  if (index < 0) {
    throw SessionError.of("MESSAGE_NOT_FOUND", `Session "${parentId}" holds no message "${messageId}".`, {
      sessionId: parentId,
      messageId,
    });
  }
  const archives: ArchiveInfo[] = [];
  let covered = 0;
  for (const archive of parent.archives) {
    covered += archive.messageCount;
    if (covered > index + 1) break; // the messages of a partial archive are live in the fork
    archives.push(archive);
  }
  return { messages: parent.messages.slice(0, index + 1), archives };
}

function abandoned(message: Message): Message {
  return message.status === "partial" ? { ...message, status: "interrupted" } : message;
}
