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

/** A session as another system has it. */
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
  /** Names for the first so many live messages. */
  readonly snapshots: readonly {
    readonly name: string;
    readonly createdAt: number;
    readonly liveCount: number;
  }[];
  readonly asides: readonly UnreadableInput[];
  /** What was done to make sense of it, in sentences. */
  readonly notes: readonly string[];
}

/** Messages that left the live view together. */
export interface ForeignArchive {
  readonly id: string;
  readonly createdAt: number;
  readonly messages: readonly Message[];
  readonly summary: ArchiveSummary;
}

/** What a source gives: a session, or something that belongs to none. */
export type Imported =
  | {
      readonly bundle: SessionBundle;
      readonly asides: readonly UnreadableInput[];
      readonly notes: readonly string[];
    }
  | {
      readonly bundle?: undefined;
      readonly asides: readonly UnreadableInput[];
      readonly notes: readonly string[];
    };

/** A session of another system as a bundle. The same session gives the same bundle: an import may be repeated. */
export function importedSession(system: string, session: ForeignSession): Imported {
  const { asides, notes } = session;
  const bundle = {
    format: "sessions-bundle",
    version: 1,
    sessionId: session.id,
    session: documentOf(system, session),
  } as const;
  return { bundle, asides, notes };
}

function documentOf(system: string, session: ForeignSession): SessionDocument {
  const { id, title, createdAt, updatedAt, parent, archives, live, snapshots, asides } = session;
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
      ...(asides.length === 0 ? {} : { aside: asides.map(unreadableInputJson) }),
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

// Forks name the life of their parent: so that they find it, lives get the same name in every import.
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
