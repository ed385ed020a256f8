import {
  type CommitOutcome,
  type Json,
  type MemoryDocument,
  type MessageDraft,
  type SessionDocument,
  SessionError,
  type SessionRecord,
  type SummaryRecord,
} from "@sessions/protocol/backend";

/**
 * Comparable forms. Users' values are compared as JSON text, which finds differences in key order, `__proto__` keys and
 * empty containers. The fields that the library adds are compared one by one.
 */
export function canonicalDocument(document: SessionDocument | undefined): unknown {
  if (document === undefined) return "absent";
  return {
    ...document,
    ...canonicalMaps(document),
    messages: document.messages.map(canonicalMessage),
    // Stores may choose how many messages a snapshot shares with the session.
    snapshots: document.snapshots.map(({ shared, messages, revisions, ...rest }) => ({
      ...rest,
      messages: [...document.messages.slice(0, shared), ...messages].map(canonicalMessage),
      revisions: [...document.revisions.slice(0, shared), ...revisions],
    })),
    commits: requiredMemory({
      ...document.commits,
      entries: document.commits.entries.map(({ receipt, ...entry }) => ({
        ...entry,
        receipt: text(receipt),
      })),
    }),
    finishedTurns: requiredMemory(document.finishedTurns),
  };
}

const KEPT_ENTRIES = 256;

/** The entries that a store must remember. It may remember older ones. */
function requiredMemory<Entry>({ entries, horizon }: MemoryDocument<Entry>): unknown {
  return {
    entries: entries.slice(-KEPT_ENTRIES),
    horizon: entries.length >= KEPT_ENTRIES ? "any" : horizon,
  };
}

export function canonicalRecord(record: SessionRecord | undefined): unknown {
  if (record === undefined) return "absent";
  return { ...record, ...canonicalMaps(record), messages: record.messages.map(canonicalMessage) };
}

export function canonicalSummary(summary: SummaryRecord): unknown {
  return { ...summary, ...canonicalMaps(summary) };
}

/** `timeless`: without the time in a TURN_BUSY error, for stores whose time of the refusal is unknown. */
export function canonicalOutcome(outcome: CommitOutcome, timeless: boolean): unknown {
  if (outcome.status === "rejected")
    return { status: "rejected", error: canonicalError(outcome.error, timeless) };
  return outcome.status === "duplicate" ? { ...outcome, receipt: text(outcome.receipt) } : outcome;
}

const IGNORED_FIELDS: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/**
 * The code and the structured fields of an error. The others are not read: a stack is computed on its first read, which
 * takes longer than the whole comparison.
 */
export function canonicalError(error: SessionError, timeless = false): unknown {
  const fields = Object.fromEntries(Object.entries(error).filter(([field]) => !IGNORED_FIELDS.has(field)));
  const busy = timeless && SessionError.is(error, "TURN_BUSY") ? { expiresAt: undefined } : {};
  return { ...fields, code: error.code, retryable: error.retryable, ...busy };
}

function canonicalMaps(of: Pick<SessionDocument, "labels" | "metadata" | "counters">): object {
  return { labels: entries(of.labels), metadata: entries(of.metadata), counters: entries(of.counters) };
}

/** The order of these keys is not part of the contract; the order inside the values is. */
function entries(record: Readonly<Record<string, Json>>): readonly string[] {
  return Object.entries(record)
    .map(([key, value]) => JSON.stringify([key, value]))
    .sort();
}

/** The store sets and removes `createdAt` and `status`, so their position among the keys is not compared. */
export function canonicalMessage(message: MessageDraft): unknown {
  const { createdAt, status, ...rest } = message;
  return { createdAt, status, rest: JSON.stringify(rest) };
}

function text(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
