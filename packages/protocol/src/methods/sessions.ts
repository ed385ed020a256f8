import type { Message } from "../message/message.js";
import type { Session, SessionSummary } from "../session/session.js";
import { openCall, requestOf, type Settled, send } from "../store/call.js";
import { commitOne } from "../store/commit-one.js";
import type { MutationOptions, MutationResult, ReadOptions } from "../store/mutation.js";
import { commitPlanned } from "../store/planned.js";
import type { GetSessionOptions } from "../store/queries.js";
import { reading } from "../store/reading.js";
import type { SessionPatch } from "../store/session-init.js";
import { sessionView, summaryView } from "../store/session-view.js";
import type { StoreContext } from "../store/store-context.js";
import { requireArray, requireOptions, requireRecord } from "../validate/argument.js";
import { requireId } from "../validate/identifier.js";
import { requireSessionMessages } from "../validate/queries.js";
import { deleteForks } from "./delete-forks.js";
import { sessionNotFound } from "./session-not-found.js";

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

export async function patchSession(
  context: StoreContext,
  id: string,
  patch: SessionPatch,
  options?: MutationOptions,
): Promise<MutationResult> {
  return commitOne(context, id, "patchSession", { ...requireRecord(patch, "patch"), op: "set" }, options);
}

export async function deleteSession(
  context: StoreContext,
  id: string,
  options: MutationOptions & { readonly cascade?: boolean | undefined } = {},
): Promise<boolean> {
  const { cascade = false, ...rest } = requireOptions(options);
  const call = openCall(context, id, "deleteSession", () => ({ cascade }), rest);
  if (!cascade) return send(context, call, requestOf(context, call, [{ op: "delete" }]), isThere);
  let incarnation: string | undefined;
  const { outcome } = await commitPlanned(context, call, async () => {
    const record = await context.backend.read(id, { messages: "none" });
    incarnation = record?.incarnation;
    return { ops: [{ op: "delete" }], ifRevision: record?.revision ?? 0 };
  });
  // The parent goes first: a sweep that dies half-way is finished by the same call again.
  await deleteForks(context, id, incarnation);
  return isThere(outcome);
}

function isThere(outcome: Settled): boolean {
  return outcome.status !== "unchanged";
}
