import type { Verification } from "../backend/verification.js";
import type { Message } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import type { OneOrMany } from "../operations/builders.js";
import type { OnExisting } from "../operations/operation.js";
import type { OperationInput } from "../operations/operation-input.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import type { Session, SessionSummary, SessionTree } from "../session/session.js";
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
import type { BeginTurnOptions, BeginTurnResult, RunTurnResult, Turn } from "./turn.js";

/** Returns the operations of a computed change, or nothing to leave the session as it is. Must not be async: do I/O before. */
export type ComputeChange = (session: Session | undefined) => OneOrMany<OperationInput> | undefined;

/** The result of a turn's work. It is committed together with the end of the turn. */
type TurnOps = OneOrMany<OperationInput> | undefined;

/** The work of a turn. */
export type TurnWork = (
  turn: Turn,
  session: Session,
  // biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing is work too, however it is declared
) => Promise<TurnOps | void> | TurnOps | void;

/** The methods of one session: every method of a store whose first argument is a session id. */
export interface SessionMethods {
  // ── sessions ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Creates a session. SESSION_EXISTS if there is one: an existing session is never overwritten. */
  createSession(id: string, init?: SessionInit, options?: MutationOptions): Promise<MutationResult>;
  /** Reads a session. `undefined` if there is none. */
  getSession(id: string, options?: GetSessionOptions): Promise<Session | undefined>;
  /** Reads messages by id, live or archived, in the order of the ids. Unknown ids are skipped. */
  getMessages(id: string, messageIds: readonly string[], options?: ReadOptions): Promise<Message[]>;
  /** Whether the session exists now: it is neither deleted nor expired. */
  sessionExists(id: string, options?: ReadOptions): Promise<boolean>;
  /** Changes title, labels, metadata keys, expiry. `null` removes. */
  patchSession(id: string, patch: SessionPatch, options?: MutationOptions): Promise<MutationResult>;
  /** Deletes a session, with its forks if `cascade`. `false` if there was none. */
  deleteSession(
    id: string,
    options?: MutationOptions & { readonly cascade?: boolean | undefined },
  ): Promise<boolean>;

  // ── messages ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds one or several messages, all or none. Creates the session if there is none. */
  addMessage(
    id: string,
    messages: OneOrMany<MessageInput>,
    options?: MutationOptions & { readonly onExisting?: OnExisting | undefined },
  ): Promise<MutationResult>;
  /** The newest live messages, in order. A tool call and its result are never separated. Empty if there is no session. */
  getChatHistory(id: string, query?: HistoryQuery): Promise<Message[]>;
  /**
   * Replaces the live messages in one step. Messages that were read before keep their ids, and the common prefix is not
   * rewritten. `base` is the revision that was read: messages that others added since then stay, after the caller's,
   * and a draft keeps its current content. REVISION_CONFLICT, with nothing changed, if others removed or changed
   * messages since then, or if a tool call would be separated from its result. Then read the session again and compute
   * a new history.
   */
  setChatHistory(
    id: string,
    messages: readonly MessageInput[],
    options?: ForcibleOptions & { readonly base?: number | undefined },
  ): Promise<MutationResult>;
  /** Replaces one live message. It keeps its position, and its time unless the new message has one. */
  updateMessage(
    id: string,
    messageId: string,
    message: MessageInput,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Removes live messages by id. MESSAGE_NOT_FOUND if one of them is not live. Then nothing is removed. */
  removeMessages(
    id: string,
    messageIds: OneOrMany<string>,
    options?: MutationOptions,
  ): Promise<MutationResult>;
  /** Removes the last message, with its tool call or results. `exchange` removes everything from the last user message on. */
  popMessage(
    id: string,
    options?: ForcibleOptions & { readonly exchange?: boolean | undefined },
  ): Promise<MutationResult>;
  /** Removes the live messages. Everything else stays. */
  clearSession(id: string, options?: ForcibleOptions): Promise<MutationResult>;

  // ── metadata and counters ───────────────────────────────────────────────────────────────────────────────────

  /** Sets metadata keys. The others stay. `null` removes a key. */
  updateSessionMetadata(id: string, patch: object, options?: MutationOptions): Promise<MutationResult>;
  /** Adds to integer counters. */
  incrementCounters(
    id: string,
    deltas: Readonly<Record<string, number>>,
    options?: MutationOptions,
  ): Promise<MutationResult>;

  // ── hierarchy ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Copies a session, up to a message or from a snapshot. Later changes to one do not affect the other. */
  forkSession(
    id: string,
    fork?: ForkOptions,
    options?: MutationOptions,
  ): Promise<MutationResult & { readonly sessionId: string }>;
  /** The direct forks of this session, oldest first. `getSessionTree` also returns the forks of forks. */
  getChildren(id: string, options?: ReadOptions): Promise<SessionSummary[]>;
  /** The session that this one was forked from. `undefined` if it is not a fork or its parent no longer exists. */
  getParent(id: string, options?: ReadOptions): Promise<SessionSummary | undefined>;
  /** The session with its forks and their forks. SESSION_NOT_FOUND if there is no session. */
  getSessionTree(id: string, options?: ReadOptions): Promise<SessionTree>;
  /** Saves the present messages and archives under a name. */
  createSnapshot(
    id: string,
    name?: string,
    options?: MutationOptions,
  ): Promise<MutationResult & { readonly name: string }>;
  /** The snapshots of the session, oldest first. Empty if there is no session. */
  listSnapshots(id: string, options?: ReadOptions): Promise<SnapshotInfo[]>;
  /** Returns to the messages and archives of a snapshot. */
  revertToSnapshot(id: string, name: string, options?: ForcibleOptions): Promise<MutationResult>;
  /** Removes the live messages after this one. */
  revertToMessage(id: string, messageId: string, options?: ForcibleOptions): Promise<MutationResult>;
  /** Removes a snapshot. The messages stay as they are. SNAPSHOT_NOT_FOUND if there is none with this name. */
  dropSnapshot(id: string, name: string, options?: MutationOptions): Promise<MutationResult>;
  /** The whole session as one portable document. */
  exportSession(id: string, options?: ReadOptions): Promise<SessionBundle>;

  // ── archives ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Moves the oldest live messages into an archive, whose summary is pending. `undefined` if there is nothing to move. */
  archiveMessages(
    id: string,
    query?: ArchiveQuery,
    options?: MutationOptions,
  ): Promise<ArchiveInfo | undefined>;
  /**
   * Stores the summary of an archive, or the error of an attempt. The first summary wins. After an error there may be
   * another attempt.
   */
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
  /** The messages to send to a model: summaries of finished archives, then the newest messages that fit. */
  getContext(id: string, query: ContextQuery): Promise<Context>;

  // ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins a turn, runs `work`, and commits its result together with the end of the turn. The turn always ends. */
  runTurn(id: string, options: BeginTurnOptions, work: TurnWork): Promise<RunTurnResult>;
  /** Begins a turn. The caller must end it, or declare it with `await using`. */
  beginTurn(id: string, options?: BeginTurnOptions): Promise<BeginTurnResult>;
  /** Asks the running turn to stop, from any process: its signal aborts. `force` ends the turn at once. */
  interruptTurn(
    id: string,
    options?: MutationOptions & {
      readonly turnId?: string | undefined;
      readonly force?: boolean | undefined;
    },
  ): Promise<MutationResult>;

  // ── the general forms ───────────────────────────────────────────────────────────────────────────────────────

  /** Commits several operations in one atomic step. */
  commit(id: string, ops: OneOrMany<OperationInput>, options?: MutationOptions): Promise<MutationResult>;
  /** Reads the session, computes a change and commits it. If the session changed in between, all of that is repeated. */
  updateSession(
    id: string,
    compute: ComputeChange,
    options?: MutationOptions & { readonly messages?: SessionMessages | undefined },
  ): Promise<MutationResult>;

  // ── health ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads and checks everything of one session. */
  verify(id: string): Promise<Verification>;
}
