import type {
  ArchiveInfo,
  History,
  LiveState,
  Memory,
  Message,
  Remembered,
  SessionDocument,
  SnapshotDocument,
} from "@sessions/protocol/backend";
import { isDamage } from "../error-mapping.js";

/** What can be read of a damaged session, as a whole session; and how many messages cannot. */
export interface Salvaged {
  readonly document: SessionDocument;
  /** Messages of the session, live or archived, that are gone. */
  readonly lostMessages: number;
  /** Snapshots that hold such a message: nobody could go back to them. */
  readonly lostSnapshots: readonly string[];
}

/** Reads a session message by message, and leaves out those that cannot be read. */
export function salvaged(state: LiveState, now: number): Salvaged {
  const { status: _, history, snapshots, queue: __, turn: ___, finishedTurns, commits, ...fields } = state;
  const kept = readable(history);
  const whole = snapshots.map((snapshot) => ({ snapshot, kept: readable(snapshot.history) }));
  const lost = whole.filter(({ kept: messages }) => messages.lost > 0);
  return {
    document: {
      ...fields,
      messages: kept.messages,
      revisions: kept.revisions,
      // What is lost is removed: nobody's older copy may be merged with what is left.
      rewrittenAt: fields.revision,
      archives: kept.archives,
      snapshots: whole
        .filter((each) => !lost.includes(each))
        .map(({ snapshot, kept: messages }) => {
          const { history: ____, ...info } = snapshot;
          return snapshotDocument(info, messages);
        }),
      finishedTurns: remembered(finishedTurns, now),
      commits: remembered(commits.given, now),
    },
    lostMessages: kept.lost,
    lostSnapshots: lost.map(({ snapshot }) => snapshot.name),
  };
}

interface Readable {
  readonly messages: readonly Message[];
  readonly revisions: readonly number[];
  readonly archives: readonly ArchiveInfo[];
  readonly lost: number;
}

function readable(history: History): Readable {
  const { length } = history.messages;
  const read = Array.from({ length }, (_, at) => orLost(() => history.messages.get(at)));
  const kept = read.flatMap((message, at) => (message === undefined ? [] : [{ message, at }]));
  return {
    messages: kept.map(({ message }) => message),
    // One that cannot be told counts as old: then no three-way replace takes the message for new.
    revisions: kept.map(({ at }) => orLost(() => history.revisions.get(at)) ?? 0),
    archives: archivesOver(read, history.archives),
    lost: length - kept.length,
  };
}

/** Archives over what is left of their messages. One that has none left is none. */
function archivesOver(
  read: readonly (Message | undefined)[],
  archives: readonly ArchiveInfo[],
): readonly ArchiveInfo[] {
  let from = 0;
  return archives.flatMap((archive) => {
    const own = read.slice(from, from + archive.messageCount).filter((message) => message !== undefined);
    from += archive.messageCount;
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ ...archive, messageCount: own.length, firstMessageId: first.id, lastMessageId: last.id }];
  });
}

function snapshotDocument(
  info: Pick<SnapshotDocument, "name" | "createdAt" | "revision" | "messageCount">,
  { messages, revisions, archives }: Readable,
): SnapshotDocument {
  return { ...info, shared: 0, messages, revisions, archives };
}

/** A memory that cannot be read has forgotten everything until now: nothing from before is taken for new. */
function remembered<Entry extends Remembered>(
  memory: Memory<Entry>,
  now: number,
): ReturnType<Memory<Entry>["toDocument"]> {
  return orLost(() => memory.toDocument()) ?? { entries: [], horizon: now };
}

function orLost<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
