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
 * Comparable forms. What users stored is compared as JSON text, because there the order of keys, `__proto__` keys and
 * empty containers count; what the library adds around it is compared field by field.
 */
export function canonicalDocument(document: SessionDocument | undefined): unknown {
  if (document === undefined) return "absent";
  return {
    ...document,
    ...canonicalMaps(document),
    messages: document.messages.map(canonicalMessage),
    // How much of a snapshot is written out is the store's choice; what it stands for is not.
    snapshots: document.snapshots.map(({ shared, messages, revisions, ...rest }) => ({
      ...rest,
      messages: [...document.messages.slice(0, shared), ...messages].map(canonicalMessage),
      revisions: [...document.revisions.slice(0, shared), ...revisions],
    })),
    commits: needed({
      ...document.commits,
      entries: document.commits.entries.map(({ receipt, ...entry }) => ({
        ...entry,
        receipt: text(receipt),
      })),
    }),
    finishedTurns: needed(document.finishedTurns),
  };
}

const KEPT = 256;

/** What must be remembered. A store may remember more, and forget it when it likes. */
function needed<Entry>({ entries, horizon }: MemoryDocument<Entry>): unknown {
  return { entries: entries.slice(-KEPT), horizon: entries.length >= KEPT ? "its own" : horizon };
}

export function canonicalRecord(record: SessionRecord | undefined): unknown {
  if (record === undefined) return "absent";
  return { ...record, ...canonicalMaps(record), messages: record.messages.map(canonicalMessage) };
}

export function canonicalSummary(summary: SummaryRecord): unknown {
  return { ...summary, ...canonicalMaps(summary) };
}

/** `timeless`: without the times in a refusal, where nobody can know at which time it was made. */
export function canonicalOutcome(outcome: CommitOutcome, timeless: boolean): unknown {
  if (outcome.status === "rejected")
    return { status: "rejected", error: canonicalError(outcome.error, timeless) };
  return outcome.status === "duplicate" ? { ...outcome, receipt: text(outcome.receipt) } : outcome;
}

const WORDING: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/**
 * Code and structured fields; the wording is the store's own. It is not even read: a stack is made up when it is first
 * asked for, and that takes longer than the whole comparison.
 */
export function canonicalError(error: SessionError, timeless = false): unknown {
  const fields = Object.fromEntries(Object.entries(error).filter(([field]) => !WORDING.has(field)));
  const busy = timeless && SessionError.is(error, "TURN_BUSY") ? { expiresAt: undefined } : {};
  return { ...fields, code: error.code, retryable: error.retryable, ...busy };
}

function canonicalMaps(of: Pick<SessionDocument, "labels" | "metadata" | "counters">): object {
  return { labels: entries(of.labels), metadata: entries(of.metadata), counters: entries(of.counters) };
}

/** The order of these keys is not promised; that inside the values is. */
function entries(record: Readonly<Record<string, Json>>): readonly string[] {
  return Object.entries(record)
    .map(([key, value]) => JSON.stringify([key, value]))
    .sort();
}

/** The library sets and removes `createdAt` and `status`, so their place among the keys is its own. */
export function canonicalMessage(message: MessageDraft): unknown {
  const { createdAt, status, ...rest } = message;
  return { createdAt, status, rest: JSON.stringify(rest) };
}

function text(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
