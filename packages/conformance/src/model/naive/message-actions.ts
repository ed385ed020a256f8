import { isDeepStrictEqual } from "node:util";
import type { MessageInput } from "@sessions/protocol";
import { chosen } from "../choice.js";
import { UNKNOWN_ID } from "../unknown-id.js";
import type { ActionIntent } from "./action-intent.js";
import type { Expectation } from "./expectation.js";
import {
  EMPTY_SESSION,
  lastBoundary,
  type NaiveMessage,
  type NaiveRead,
  type NaiveSession,
} from "./naive-session.js";

type ActionOf<Kind extends ActionIntent["action"]> = Extract<ActionIntent, { readonly action: Kind }>;

/** The state in which an action is made. */
export interface ActionContext {
  readonly id: string;
  readonly session: NaiveSession | undefined;
  /** Earlier reads of this id, also from before a deletion. */
  readonly reads: readonly NaiveRead[];
  readonly rewrittenAt: number;
  newId(): string;
}

export function append({ texts }: ActionOf<"append">, context: ActionContext): Expectation {
  return appending(
    context,
    texts.map((content) => user(context, content)),
  );
}

/** Adds a question, a tool call and its result. */
export function appendToolCall({ text }: ActionOf<"append-tool-call">, context: ActionContext): Expectation {
  const toolCallId = context.newId();
  const call = { type: "tool-call", toolCallId, toolName: "look", input: {} };
  const result = { type: "tool-result", toolCallId, toolName: "look", output: { type: "text", value: text } };
  return appending(context, [
    user(context, text),
    { id: context.newId(), role: "assistant", content: [call] },
    { id: context.newId(), role: "tool", content: [result] },
  ]);
}

/** Adds an existing message again. An equal one is ignored, a different one is refused. */
export function appendAgain({ which, other }: ActionOf<"append-again">, context: ActionContext): Expectation {
  const existing = [
    ...(context.session?.archives.flatMap((archive) => archive.messages) ?? []),
    ...liveOf(context),
  ];
  const again = chosen(existing, which);
  if (again === undefined) return { call: (store) => store.addMessage(context.id, []), messages: [] };
  const message = asInput(other ? { ...again, content: `not what ${again.id} said` } : again);
  const call: Expectation["call"] = (store) => store.addMessage(context.id, message);
  return other ? { call, code: "MESSAGE_ID_TAKEN" } : { call, messages: [] };
}

export function replace(
  { keep, edit, archived, texts }: ActionOf<"replace">,
  context: ActionContext,
): Expectation {
  const live = liveOf(context);
  const kept = live.slice(0, live.length === 0 ? 0 : keep % (live.length + 1));
  const last = kept.at(-1);
  const edited =
    edit && last !== undefined ? [...kept.slice(0, -1), { ...last, metadata: { edited: true } }] : kept;
  const back = archived ? (context.session?.archives.at(-1)?.messages.slice(-1) ?? []) : [];
  const target = [...edited, ...texts.map((content) => user(context, content))];
  const handed = [...back, ...target];
  return {
    call: (store) => store.setChatHistory(context.id, handed.map(asInput)),
    // All messages after the first difference are rewritten, also equal ones.
    rewrites: live.some((message, index) => !isDeepStrictEqual(message, handed[index])),
    next: () => ({ ...sessionOrEmpty(context), live: target }),
  };
}

/** Writes back the current history, with or without ids: nothing changes. */
export function replaceUnchanged(
  { withIds }: ActionOf<"replace-unchanged">,
  context: ActionContext,
): Expectation {
  const live = liveOf(context).map(({ id, ...message }) => (withIds ? { id, ...message } : message));
  return { call: (store) => store.setChatHistory(context.id, live.map(asInput)), messages: [] };
}

export function pop({ exchange }: ActionOf<"pop">, context: ActionContext): Expectation {
  const live = liveOf(context);
  const asked = exchange ? live.findLastIndex((message) => message.role === "user") : live.length - 1;
  const cut = asked === -1 ? (exchange ? 0 : live.length) : lastBoundary(live, asked);
  const call: Expectation["call"] = (store) => store.popMessage(context.id, { exchange });
  return requiringSession(context, {
    call,
    messages: live.slice(cut),
    next: () => ({ ...sessionOrEmpty(context), live: live.slice(0, cut) }),
  });
}

/** Clears the session. An absent one stays absent. */
export function clear(context: ActionContext): Expectation {
  const next = context.session === undefined ? undefined : { ...context.session, live: [] };
  return { call: (store) => store.clearSession(context.id), next: () => next };
}

export function remove({ which, unknownId }: ActionOf<"remove">, context: ActionContext): Expectation {
  const live = liveOf(context);
  const ids = which.flatMap((one) => chosen(live, one)?.id ?? []);
  const all = unknownId ? [...ids, UNKNOWN_ID] : ids;
  const call: Expectation["call"] = (store) => store.removeMessages(context.id, all);
  if (unknownId) return requiringSession(context, { call, code: "MESSAGE_NOT_FOUND" });
  return requiringSession(context, {
    call,
    next: () => ({ ...sessionOrEmpty(context), live: live.filter((message) => !ids.includes(message.id)) }),
  });
}

export function update({ which, text }: ActionOf<"update">, context: ActionContext): Expectation {
  const live = liveOf(context);
  const target = chosen(live, which);
  const message = { id: target?.id ?? UNKNOWN_ID, role: target?.role ?? "user", content: text };
  const call: Expectation["call"] = (store) => store.updateMessage(context.id, message.id, message);
  if (target === undefined) return requiringSession(context, { call, code: "MESSAGE_NOT_FOUND" });
  return {
    call,
    next: () => ({ ...sessionOrEmpty(context), live: live.map((one) => (one === target ? message : one)) }),
  };
}

export function revertTo({ which }: ActionOf<"revert-to">, context: ActionContext): Expectation {
  const live = liveOf(context);
  const target = chosen(live, which);
  const call: Expectation["call"] = (store) => store.revertToMessage(context.id, target?.id ?? UNKNOWN_ID);
  if (target === undefined) return { call, code: "MESSAGE_NOT_FOUND" };
  return {
    call,
    next: () => ({ ...sessionOrEmpty(context), live: live.slice(0, live.indexOf(target) + 1) }),
  };
}

/** The expectation if the session exists; otherwise SESSION_NOT_FOUND. */
export function requiringSession(context: ActionContext, expectation: Expectation): Expectation {
  return context.session === undefined ? { call: expectation.call, code: "SESSION_NOT_FOUND" } : expectation;
}

/** The session, or an empty one. */
export function sessionOrEmpty(context: ActionContext): NaiveSession {
  return context.session ?? EMPTY_SESSION;
}

export function liveOf(context: ActionContext): readonly NaiveMessage[] {
  return context.session?.live ?? [];
}

function appending(context: ActionContext, messages: readonly NaiveMessage[]): Expectation {
  return {
    call: (store) => store.addMessage(context.id, messages.map(asInput)),
    messages,
    next: () => ({ ...sessionOrEmpty(context), live: [...liveOf(context), ...messages] }),
  };
}

export function user(context: ActionContext, content: string): NaiveMessage {
  return { id: context.newId(), role: "user", content };
}

/** A message as the argument of a call. */
export function asInput(message: Partial<NaiveMessage>): MessageInput {
  return { ...message, role: String(message.role) };
}
