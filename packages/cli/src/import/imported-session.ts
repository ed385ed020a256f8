import { createHash } from "node:crypto";
import type {
  ArchiveSummary,
  JsonObject,
  Message,
  Parent,
  SessionBundle,
  SessionDocument,
} from "@sessions/protocol";
import { type UnreadableInput, unreadableInputJson } from "./unreadable-input.js";

/** A session of another system. */
export interface ForeignSession {
  readonly id: string;
  readonly title?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly metadata: JsonObject;
  readonly parent?: { readonly sessionId: string; readonly messageId?: string | undefined } | undefined;
  readonly archives: readonly ForeignArchive[];
  readonly live: readonly Message[];
  /** Snapshots, by the number of live messages that each of them has. */
  readonly snapshots: readonly {
    readonly name: string;
    readonly createdAt: number;
    readonly liveCount: number;
  }[];
  readonly unreadable: readonly UnreadableInput[];
  /** What was changed to read the session, in sentences. */
  readonly notes: readonly string[];
}

/** Messages that were archived together. */
export interface ForeignArchive {
  readonly id: string;
  readonly createdAt: number;
  readonly messages: readonly Message[];
  readonly summary: ArchiveSummary;
}

/** An item of a source: a session, or unreadable input that belongs to no session. */
export type Imported =
  | {
      readonly bundle: SessionBundle;
      readonly unreadable: readonly UnreadableInput[];
      readonly notes: readonly string[];
    }
  | {
      readonly bundle?: undefined;
      readonly unreadable: readonly UnreadableInput[];
      readonly notes: readonly string[];
    };

/** Converts a session of another system to a bundle. The same session gives the same bundle, so an import may be repeated. */
export function importedSession(system: string, session: ForeignSession): Imported {
  const { unreadable, notes } = session;
  const bundle = {
    format: "sessions-bundle",
    version: 1,
    sessionId: session.id,
    session: documentOf(system, session),
  } as const;
  return { bundle, unreadable, notes };
}

function documentOf(system: string, session: ForeignSession): SessionDocument {
  const { id, title, createdAt, updatedAt, parent, archives, live, snapshots, unreadable } = session;
  const archived = archives.flatMap(({ messages }) => messages);
  const messages = [...archived, ...live];
  const infos = archives.map(archiveInfo);
  const memory = { entries: [], horizon: 0 };
  return {
    incarnation: incarnationOf(system, id),
    revision: 1,
    createdAt,
    updatedAt: Math.max(createdAt, updatedAt),
    ...(title === undefined ? {} : { title }),
    labels: present(session.labels),
    metadata: {
      ...session.metadata,
      ...(unreadable.length === 0 ? {} : { aside: unreadable.map(unreadableInputJson) }),
    },
    counters: {},
    ...(parent === undefined ? {} : { parent: parentOf(system, parent) }),
    messages,
    revisions: messages.map(() => 1),
    archives: infos,
    snapshots: snapshots.map(({ name, createdAt: at, liveCount }) => ({
      name,
      createdAt: at,
      revision: 1,
      messageCount: liveCount,
      shared: archived.length + liveCount,
      messages: [],
      revisions: [],
      archives: infos,
    })),
    finishedTurns: memory,
    commits: memory,
  };
}

function archiveInfo({
  id,
  createdAt,
  messages,
  summary,
}: ForeignArchive): SessionDocument["archives"][number] {
  const [first, last] = [messages[0]?.id ?? "", messages.at(-1)?.id ?? ""];
  return {
    id,
    createdAt,
    messageCount: messages.length,
    firstMessageId: first,
    lastMessageId: last,
    summary,
  };
}

// A fork stores the incarnation of its parent, so an import derives the same incarnation every time.
function incarnationOf(system: string, id: string): string {
  return `${system}-${createHash("sha256").update(id.toWellFormed()).digest("hex").slice(0, 24)}`;
}

function parentOf(system: string, { sessionId, messageId }: NonNullable<ForeignSession["parent"]>): Parent {
  const at = messageId === undefined ? {} : { messageId };
  return { sessionId, ...at, incarnation: incarnationOf(system, sessionId) };
}

function present(labels: ForeignSession["labels"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
