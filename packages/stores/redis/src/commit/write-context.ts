import type { LiveState, Message, SessionState } from "@sessions/protocol/backend";
import { memoryChangesOf, type SessionChange, type StoredMessage } from "@sessions/row-engine";
import { FIELDS } from "../keys/fields.js";
import type { SessionKeys } from "../keys/keys.js";
import { generatedText, givenText } from "../session/memory-text.js";
import type { AssumedAbsences, RedisSessionRows } from "../session/redis-session-rows.js";
import type { SessionCache } from "../session/session-cache.js";
import type { SessionEntry } from "../session/session-entry.js";
import { memoryCounts, type SessionHead } from "../session/session-head.js";
import type { CommitWrite, MemoryEntry } from "./commit-write.js";
import type { StateChange } from "./decide.js";
import type { StagedCommit } from "./staged-commit.js";

/** What is written of a session, and what is known of it afterwards. */
export interface SessionWrite {
  readonly write: CommitWrite;
  readonly after: SessionEntry;
  readonly written: readonly WrittenRow[];
}

export interface WrittenRow {
  readonly row: number;
  readonly stored: StoredMessage;
  readonly size: number;
}

export interface WriteContext {
  readonly keys: SessionKeys;
  readonly cache: SessionCache;
  readonly entry: SessionEntry;
  readonly rows: RedisSessionRows;
  readonly staged: StagedCommit | undefined;
  /** What the decision took for granted; none where everything was read. */
  readonly assumed: AssumedAbsences | undefined;
  /** A text that was never used before. */
  readonly version: string;
}

/** What every write has. */
export function commonWrite(
  { entry, assumed }: WriteContext,
  { before, after, at }: StateChange,
): Pick<
  CommitWrite,
  "expected" | "isFed" | "clearsCommits" | "commits" | "generated" | "absentOfRecord" | "absentOfSession"
> {
  const { head, remains } = entry;
  const given = memoryChangesOf(after.commits.given);
  const generated = memoryChangesOf(after.commits.generated);
  const ids = (prefix: string, set: ReadonlySet<string> | undefined): readonly string[] =>
    [...(set ?? [])].map((id) => prefix + id);
  return {
    expected: {
      version: head?.version ?? "",
      revision: head?.revision,
      content: contentAt(entry, at),
      entry: remains.entry,
      isIndexed: remains.isIndexed,
      at: assumed === undefined ? undefined : at,
    },
    isFed: before?.state.revision !== after.revision || before.state.status !== after.status,
    clearsCommits: given.source === undefined ? given.horizon : undefined,
    commits: given.added.map((commit): MemoryEntry => [commit.id, commit.at, givenText(commit)]),
    generated: generated.added.map((commit): MemoryEntry => [commit.id, commit.at, generatedText(commit)]),
    absentOfRecord: ids(FIELDS.COMMIT, assumed?.commits),
    absentOfSession: [...ids(FIELDS.ID, assumed?.messages), ...ids(FIELDS.TURN, assumed?.turns)],
  };
}

function contentAt({ head, content }: SessionEntry, at: number): CommitWrite["expected"]["content"] {
  if (content === undefined) return "gone";
  return head?.expiresAt !== undefined && head.expiresAt <= at ? "over" : "live";
}

export function engineChange(
  { entry, cache, rows, staged }: WriteContext,
  change: StateChange,
): SessionChange {
  const life = entry.head?.life ?? "";
  return {
    before: change.before,
    ops: change.ops,
    rows,
    rowOf: (message: Message) => cache.rowOf(life, message),
    firstRow: 0,
    staged: staged?.messages,
    now: change.at,
  };
}

export function liveStateOf(state: SessionState | undefined): LiveState | undefined {
  return state?.status === "live" ? state : undefined;
}

/** The scripts may have forgotten some: that is known when the session is read again. */
export function memoriesAfter(
  head: SessionHead | undefined,
  { given, generated }: SessionState["commits"],
): Pick<SessionHead, "given" | "generated"> {
  const none = memoryCounts(0, 0, 0);
  const grown = (counts = none, added: number, horizon: number): SessionHead["given"] => ({
    ...counts,
    next: counts.next + added,
    stored: counts.stored + added,
    horizon,
  });
  return {
    given: grown(head?.given, memoryChangesOf(given).added.length, given.horizon),
    generated: grown(head?.generated, memoryChangesOf(generated).added.length, generated.horizon),
  };
}
