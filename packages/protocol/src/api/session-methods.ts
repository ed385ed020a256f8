import type { Verification } from "../backend/verification.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import type { OneOrMany } from "../operations/builders.js";
import type { OnExisting } from "../operations/operation.js";
import type { OperationInput } from "../operations/operation-input.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import type { Session, SessionSummary } from "../session/session.js";
import type { SnapshotInfo } from "../session/snapshot-info.js";
import type { ForcibleOptions, MutationOptions, MutationResult, ReadOptions } from "./mutation.js";
import type {
  ArchiveQuery,
  Context,
  ContextQuery,
  ForkOptions,
  GetSessionOptions,
  HistoryQuery,
  SessionMessages,
} from "./queries.js";
import type { SessionBundle } from "./session-bundle.js";
import type { SessionInit, SessionPatch } from "./session-init.js";
import type { SessionTree } from "./session-tree.js";
import type { BeginTurnOptions, BeginTurnResult, RunTurnResult, Turn } from "./turn.js";

/** The operations of a computed change; none means "leave it as it is". Must not be async: do I/O before. */
export type ComputeChange = (session: Session | undefined) => OneOrMany<OperationInput> | undefined;

/** What a turn's work comes to: it is committed together with the turn's end. */
type TurnOps = OneOrMany<OperationInput> | undefined;

/** The work of a turn. */
export type TurnWork = (
  turn: Turn,
  session: Session,
  // biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing is work too, however it is declared
) => Promise<TurnOps | void> | TurnOps | void;

/** What can be done with one session: every method of a store that begins with a session id. */
export interface SessionMethods {
  // ── sessions ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Makes a session. SESSION_EXISTS if there is one: nothing is ever wiped. */
  createSession(id: string, init?: SessionInit, options?: MutationOptions): Promise<MutationResult>;
  /** Reads a session; `undefined` if there is none. */
  getSession(id: string, options?: GetSessionOptions): Promise<Session | undefined>;
  /** Reads messages by id, live or archived, in the asked order. Those that the session does not hold are left out. */
  getMessages(id: string, messageIds: readonly string[], options?: ReadOptions): Promise<Message[]>;
  /** Whether there is a session with this id now: not deleted, not expired. */
  sessionExists(id: string, options?: ReadOptions): Promise<boolean>;
  /** Changes title, labels, metadata keys, expiry. `null` removes. */
  patchSession(id: string, patch: SessionPatch, options?: MutationOptions): Promise<MutationResult>;
  /** Deletes a session, with its forks if `cascade`. `false` if there was none. */
  deleteSession(
    id: string,
    options?: MutationOptions & { readonly cascade?: boolean | undefined },
  ): Promise<boolean>;

  // ── messages ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds one or several messages, all or none. Makes the session if need be. */
  addMessage(
    id: string,
    messages: OneOrMany<MessageInput>,
    options?: MutationOptions & { readonly onExisting?: OnExisting | undefined },
  ): Promise<MutationResult>;
  /** The newest live messages, in order, never half of a tool pair. Empty if there is no session. */
  getChatHistory(id: string, query?: HistoryQuery): Promise<Message[]>;
  /**
   * Replaces the live messages in one step. What was read before keeps its identity; the common prefix is not
   * rewritten. With `base`, the revision that was read: what others have added since stays, after the caller's, and a
   * draft keeps what it says now. If others have removed or changed messages since, or a tool call and its result would
   * be separated: REVISION_CONFLICT, and nothing is changed. Then read again and decide again.
   */
  setChatHistory(
    id: string,
    messages: readonly MessageInput[],
    options?: ForcibleOptions & { readonly base?: number | undefined },
  ): Promise<MutationResult>;
  /** Replaces one live message. It keeps its place, and its time unless another is given. */
  updateMessage(
    id: string,
    messageId: string,
    message: MessageInput,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Removes live messages by id. MESSAGE_NOT_FOUND if one is not live: nothing is removed then. */
  removeMessages(
    id: string,
    messageIds: OneOrMany<string>,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Takes the last message off, with its tool pair; `exchange`: back through the last user message. */
  popMessage(
    id: string,
    options?: ForcibleOptions & { readonly exchange?: boolean | undefined },
  ): Promise<MutationResult>;
  /** Removes the live messages, and nothing else. */
  clearSession(id: string, options?: ForcibleOptions): Promise<MutationResult>;

  // ── metadata and counters ───────────────────────────────────────────────────────────────────────────────────

  /** Sets metadata keys; the others stay. `null` removes one. */
  updateSessionMetadata(id: string, patch: object, options?: MutationOptions): Promise<MutationResult>;
  /** Adds to integer counters. */
  incrementCounters(
    id: string,
    deltas: Readonly<Record<string, number>>,
    options?: MutationOptions,
  ): Promise<MutationResult>;

  // ── hierarchy ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Copies a session, up to a message or from a snapshot. Nothing done to one reaches the other. */
  forkSession(
    id: string,
    fork?: ForkOptions,
    options?: MutationOptions,
  ): Promise<MutationResult & { readonly sessionId: string }>;
  /** The forks of this session, oldest first. Not theirs: `getSessionTree` has those too. */
  getChildren(id: string, options?: ReadOptions): Promise<SessionSummary[]>;
  /** `undefined` for a session that is no fork, or whose parent is gone. */
  getParent(id: string, options?: ReadOptions): Promise<SessionSummary | undefined>;
  /** The session with its forks, and theirs. SESSION_NOT_FOUND if there is no session. */
  getSessionTree(id: string, options?: ReadOptions): Promise<SessionTree>;
  /** Names the present messages and archives. */
  createSnapshot(
    id: string,
    name?: string,
    options?: MutationOptions,
  ): Promise<MutationResult & { readonly name: string }>;
  /** The names that the session can go back to, oldest first. Empty if there is no session. */
  listSnapshots(id: string, options?: ReadOptions): Promise<SnapshotInfo[]>;
  /** Back to exactly what the snapshot names: messages and archives. */
  revertToSnapshot(id: string, name: string, options?: ForcibleOptions): Promise<MutationResult>;
  /** Drops the live messages after this one. */
  revertToMessage(id: string, messageId: string, options?: ForcibleOptions): Promise<MutationResult>;
  /** Forgets a snapshot; the messages stay as they are. SNAPSHOT_NOT_FOUND if there is none of that name. */
  dropSnapshot(id: string, name: string, options?: MutationOptions): Promise<MutationResult>;
  /** The whole session as one portable document. */
  exportSession(id: string, options?: ReadOptions): Promise<SessionBundle>;

  // ── archives ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Moves the oldest live messages into an archive, whose summary is pending. `undefined` if there are none to move. */
  archiveMessages(
    id: string,
    query?: ArchiveQuery,
    options?: MutationOptions,
  ): Promise<ArchiveInfo | undefined>;
  /** Settles an archive's summary. The first summary wins; an error may be settled again. */
  settleArchive(
    id: string,
    archiveId: string,
    result: { readonly summary: string } | { readonly error: string },
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** The archives, oldest first, with the state of their summaries. Empty if there is no session. */
  listArchives(id: string, options?: ReadOptions): Promise<ArchiveInfo[]>;
  /** An archive with its messages. */
  getArchive(
    id: string,
    archiveId: string,
    options?: ReadOptions,
  ): Promise<ArchiveInfo & { readonly messages: Message[] }>;
  /** What to send to a model: summaries of finished archives, then the newest messages that fit. */
  getContext(id: string, query: ContextQuery): Promise<Context>;

  // ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins a turn, runs `work`, commits what it returns with the turn's end. Always ends the turn. */
  runTurn(id: string, options: BeginTurnOptions, work: TurnWork): Promise<RunTurnResult>;
  /** Begins a turn that the caller ends: `await using` does it too. */
  beginTurn(id: string, options?: BeginTurnOptions): Promise<BeginTurnResult>;
  /** Asks the running turn to stop, from any process: its signal aborts. `force` ends it at once. */
  interruptTurn(
    id: string,
    options?: MutationOptions & {
      readonly turnId?: string | undefined;
      readonly force?: boolean | undefined;
    },
  ): Promise<MutationResult>;

  // ── the general forms ───────────────────────────────────────────────────────────────────────────────────────

  /** Several changes in one atomic step. */
  commit(id: string, ops: OneOrMany<OperationInput>, options?: MutationOptions): Promise<MutationResult>;
  /** A computed change: reads, computes, commits if nothing changed meanwhile, else does it again. */
  updateSession(
    id: string,
    compute: ComputeChange,
    options?: MutationOptions & { readonly messages?: SessionMessages | undefined },
  ): Promise<MutationResult>;

  // ── health ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads and checks everything of one session. */
  verify(id: string): Promise<Verification>;
}
