import { SessionError } from "../errors/session-error.js";
import type { Message } from "../message/message.js";
import type { Operation } from "../operations/operation.js";
import type { Session, SessionSummary } from "../session/session.js";
import type { SessionDocument } from "../session/session-document.js";
import { timed } from "../state/step.js";
import { commitChecked, commitOps, openCall, requestOf, send } from "../store/call.js";
import type { MutationOptions, MutationResult, ReadOptions } from "../store/mutation.js";
import type { GetSessionOptions } from "../store/queries.js";
import { reading } from "../store/reading.js";
import type { SessionInit, SessionPatch } from "../store/session-init.js";
import { sessionView, summaryView } from "../store/session-view.js";
import type { StoreContext } from "../store/store-context.js";
import {
  field,
  optional,
  requireArray,
  requireOptions,
  requireRecord,
  requireTime,
} from "../validate/argument.js";
import { checkOperations } from "../validate/checked-operation.js";
import { requireId } from "../validate/identifier.js";
import { namedDraft, requireMessages } from "../validate/message-draft.js";
import { requireSessionMessages } from "../validate/queries.js";
import { requireCounters, requireLabels, requireMetadata, requireTitle } from "../validate/session-fields.js";
import { deleteForks } from "./delete-forks.js";

export async function createSession(
  context: StoreContext,
  id: string,
  init: SessionInit = {},
  options?: MutationOptions,
): Promise<MutationResult> {
  const { limits } = context;
  const given = requireRecord(init, "init");
  const title = field(
    "title",
    optional(given["title"], "init.title", (value, at) => requireTitle(value, at, limits)),
  );
  const expiresAt = field("expiresAt", optional(given["expiresAt"], "init.expiresAt", requireTime));
  const labels = requireLabels(given["labels"] ?? {}, "init.labels", limits);
  const metadata = requireMetadata(given["metadata"] ?? {}, "init.metadata", limits);
  const counters = requireCounters(given["counters"] ?? {}, "init.counters");
  const drafts = requireMessages(given["messages"] ?? [], "init.messages", limits);
  const sameness = {
    ...title,
    ...expiresAt,
    labels,
    metadata,
    counters,
    messages: drafts.map((draft) => draft.json),
  };
  const call = openCall(context, id, "createSession", sameness, options);
  const nextId = call.names.restart();
  const now = context.clock.now();
  const incarnation = nextId();
  const messages = drafts.map((draft) => namedDraft(draft, nextId));
  const document: SessionDocument = {
    ...newDocument(incarnation, now),
    ...title,
    ...expiresAt,
    labels,
    metadata,
    counters,
  };
  const withMessages = {
    ...document,
    messages: messages.map((draft) => timed(draft, now)),
    revisions: messages.map(() => 1),
  };
  checkOperations([{ op: "create", document: withMessages }], "init", limits); // two messages with one id, say
  // Appended rather than part of the document: they get the time of the commit, which a repeat is told again.
  const append: readonly Operation[] =
    messages.length === 0 ? [] : [{ op: "append", messages, onExisting: "fail" }];
  return commitOps(context, call, [{ op: "create", document }, ...append]);
}

/** The document of a session with nothing in it. */
export function newDocument(incarnation: string, now: number): SessionDocument {
  return {
    incarnation,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    labels: {},
    metadata: {},
    counters: {},
    messages: [],
    revisions: [],
    archives: [],
    snapshots: [],
    finishedTurns: { entries: [], horizon: 0 },
    commits: { entries: [], horizon: 0 },
  };
}

export function getSession(
  context: StoreContext,
  id: string,
  options: GetSessionOptions = {},
): Promise<Session | undefined> {
  return reading(context, options.signal, async () => {
    requireId(id, "id", context.limits);
    const messages = requireSessionMessages(options.messages, "options.messages", context.limits);
    const record = await context.backend.read(id, { messages });
    return record === undefined ? undefined : sessionView(record, context.clock.now());
  });
}

export function getMessages(
  context: StoreContext,
  id: string,
  messageIds: readonly string[],
  options: ReadOptions = {},
): Promise<Message[]> {
  return reading(context, options.signal, async () => {
    requireId(id, "id", context.limits);
    const ids = requireArray(messageIds, "messageIds").map((one, index) =>
      requireId(one, `messageIds[${index}]`, context.limits),
    );
    return [...((await context.backend.read(id, { messages: { ids } }))?.messages ?? [])];
  });
}

/** Everything about a session but its messages; `undefined` if there is none. */
export function getSummary(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary | undefined> {
  return reading(context, options.signal, async () => {
    requireId(id, "id", context.limits);
    const record = await context.backend.read(id, { messages: "none" });
    if (record === undefined) return undefined;
    const { messages: _, ...summary } = record;
    return summaryView(summary, context.clock.now());
  });
}

/** The same, where there has to be one. */
export async function requireSummary(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary> {
  const summary = await getSummary(context, id, options);
  if (summary === undefined) throw sessionNotFound(id);
  return summary;
}

export function sessionNotFound(sessionId: string): SessionError {
  return SessionError.of("SESSION_NOT_FOUND", `There is no session "${sessionId}".`, { sessionId });
}

export async function patchSession(
  context: StoreContext,
  id: string,
  patch: SessionPatch,
  options?: MutationOptions,
): Promise<MutationResult> {
  requireRecord(patch, "patch");
  const checked = checkOperations([{ ...patch, op: "set" }], "patch", context.limits);
  return commitChecked(
    context,
    openCall(
      context,
      id,
      "patchSession",
      checked.map((op) => op.given),
      options,
    ),
    checked,
  );
}

export async function deleteSession(
  context: StoreContext,
  id: string,
  options: MutationOptions & { readonly cascade?: boolean | undefined } = {},
): Promise<boolean> {
  const { cascade = false, ...rest } = requireOptions(options);
  const call = openCall(context, id, "deleteSession", { cascade }, rest);
  const incarnation = cascade ? (await getSummary(context, id, rest))?.incarnation : undefined;
  const outcome = await send(context, call, requestOf(context, call, [{ op: "delete" }]));
  // The parent goes first: a sweep that dies half-way is finished by the same call again.
  if (cascade) await deleteForks(context, id, incarnation);
  return outcome.status !== "unchanged";
}
