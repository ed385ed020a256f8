import {
  MUTATION_OPTIONS,
  type MutationOptions,
  type MutationResult,
  READ_OPTIONS,
  type ReadOptions,
} from "../api/mutation.js";
import { GET_SESSION_OPTIONS, type GetSessionOptions } from "../api/queries.js";
import { SESSION_PATCH, type SessionPatch } from "../api/session-init.js";
import { requireItems } from "../arguments/lists.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireBoolean } from "../arguments/require-value.js";
import { afterCommit } from "../commit/after-commit.js";
import { openCall, requestOf, type Settled, send } from "../commit/call.js";
import { commitOperation } from "../commit/commit-operation.js";
import { commitPlanned } from "../commit/commit-planned.js";
import type { StoreContext } from "../context/store-context.js";
import { sessionNotFound } from "../errors/session-not-found.js";
import type { Message } from "../message/message.js";
import { runRead } from "../reading/run-read.js";
import { sessionView, summaryView } from "../reading/session-view.js";
import type { Session, SessionSummary } from "../session/session.js";
import { requireSessionMessages } from "../validate/queries.js";
import { deleteForks } from "./forks/delete-forks.js";

export function getSession(
  context: StoreContext,
  id: string,
  options: GetSessionOptions = {},
): Promise<Session | undefined> {
  return runRead(context, options, GET_SESSION_OPTIONS, async (checked) => {
    requireId(id, "id", context.limits);
    const messages = requireSessionMessages(checked.messages, "options.messages", context.limits);
    const record = await context.backend.read(id, { messages });
    return record === undefined ? undefined : sessionView(record, context.leases);
  });
}

export function getMessages(
  context: StoreContext,
  id: string,
  messageIds: readonly string[],
  options: ReadOptions = {},
): Promise<Message[]> {
  return runRead(context, options, READ_OPTIONS, async () => {
    requireId(id, "id", context.limits);
    const { limits } = context;
    const ids = requireItems(messageIds, "messageIds", limits, (one, at) => requireId(one, at, limits));
    return [...((await context.backend.read(id, { messages: { ids } }))?.messages ?? [])];
  });
}

/** A session without its messages. `undefined` if there is none. */
export function getSummary(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary | undefined> {
  return runRead(context, options, READ_OPTIONS, async () => {
    requireId(id, "id", context.limits);
    const record = await context.backend.read(id, { messages: "none" });
    if (record === undefined) return undefined;
    const { messages: _, ...summary } = record;
    return summaryView(summary, context.leases);
  });
}

/** The same, or SESSION_NOT_FOUND. */
export async function requireSummary(
  context: StoreContext,
  id: string,
  options: ReadOptions = {},
): Promise<SessionSummary> {
  const summary = await getSummary(context, id, options);
  if (summary === undefined) throw sessionNotFound(id);
  return summary;
}

export async function patchSession(
  context: StoreContext,
  id: string,
  patch: SessionPatch,
  options?: MutationOptions,
): Promise<MutationResult> {
  const operation = { ...requireOptions(patch, SESSION_PATCH, "patch"), op: "set" };
  return commitOperation(context, id, "patchSession", operation, options);
}

const DELETE_OPTIONS = { ...MUTATION_OPTIONS, cascade: true } as const;

export async function deleteSession(
  context: StoreContext,
  id: string,
  options: MutationOptions & { readonly cascade?: boolean | undefined } = {},
): Promise<boolean> {
  const { cascade = false, ...rest } = requireOptions(options, DELETE_OPTIONS);
  requireBoolean(cascade, "options.cascade");
  const call = openCall(context, id, "deleteSession", () => ({ cascade }), rest);
  if (!cascade) return send(context, call, requestOf(context, call, [{ op: "delete" }]), isThere);
  let incarnation: string | undefined;
  const { outcome } = await commitPlanned(context, call, async () => {
    const record = await context.backend.read(id, { messages: "none" });
    incarnation = record?.incarnation;
    return { ops: [{ op: "delete" }], ifRevision: record?.revision ?? 0 };
  });
  // The parent is deleted first: if this process crashes in between, the same call deletes the remaining forks.
  await afterCommit(context.clock, { sessionId: id, commitId: call.ids.commitId }, () =>
    deleteForks(context, id, incarnation),
  );
  return isThere(outcome);
}

function isThere(outcome: Settled): boolean {
  return outcome.status !== "unchanged";
}
