import { isDeepStrictEqual } from "node:util";
import type { MessageInput } from "@sessions/protocol";
import { chosen } from "../choice.js";
import type { ActIntent } from "./act-intent.js";
import type { Expectation } from "./expectation.js";
import {
  EMPTY_SESSION,
  lastCut,
  type NaiveMessage,
  type NaiveRead,
  type NaiveSession,
} from "./naive-session.js";

type ActOf<Kind extends ActIntent["act"]> = Extract<ActIntent, { readonly act: Kind }>;

/** What the expectations are made with. */
export interface ActContext {
  readonly id: string;
  readonly session: NaiveSession | undefined;
  /** What readers have seen under this id, also before a deletion. */
  readonly reads: readonly NaiveRead[];
  readonly rewrittenAt: number;
  newId(): string;
}

const NOBODY = "nobody-has-this-id";

export function say({ texts }: ActOf<"say">, context: ActContext): Expectation {
  return adding(
    context,
    texts.map((content) => user(context, content)),
  );
}

/** A question, the call of a tool, its result. */
export function useTool({ text }: ActOf<"use-tool">, context: ActContext): Expectation {
  const toolCallId = context.newId();
  const call = { type: "tool-call", toolCallId, toolName: "look", input: {} };
  const result = { type: "tool-result", toolCallId, toolName: "look", output: { type: "text", value: text } };
  return adding(context, [
    user(context, text),
    { id: context.newId(), role: "assistant", content: [call] },
    { id: context.newId(), role: "tool", content: [result] },
  ]);
}

/** A message that is held comes again: the same is not added, another one is refused. */
export function sayAgain({ which, other }: ActOf<"say-again">, context: ActContext): Expectation {
  const held = [
    ...(context.session?.archives.flatMap((archive) => archive.messages) ?? []),
    ...liveOf(context),
  ];
  const again = chosen(held, which);
  if (again === undefined) return { call: (store) => store.addMessage(context.id, []), messages: [] };
  const message = asInput(other ? { ...again, content: `not what ${again.id} said` } : again);
  const call: Expectation["call"] = (store) => store.addMessage(context.id, message);
  return other ? { call, code: "MESSAGE_ID_TAKEN" } : { call, messages: [] };
}

export function replace({ keep, edit, archived, texts }: ActOf<"replace">, context: ActContext): Expectation {
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
    // What stands behind the first difference is written anew, though it may be the same.
    rewrites: live.some((message, index) => !isDeepStrictEqual(message, handed[index])),
    next: () => ({ ...present(context), live: target }),
  };
}

/** Read and written back: nothing has changed, with ids and without. */
export function replaceUnchanged({ withIds }: ActOf<"replace-unchanged">, context: ActContext): Expectation {
  const live = liveOf(context).map(({ id, ...message }) => (withIds ? { id, ...message } : message));
  return { call: (store) => store.setChatHistory(context.id, live.map(asInput)), messages: [] };
}

export function pop({ exchange }: ActOf<"pop">, context: ActContext): Expectation {
  const live = liveOf(context);
  const asked = exchange ? live.findLastIndex((message) => message.role === "user") : live.length - 1;
  const cut = asked === -1 ? (exchange ? 0 : live.length) : lastCut(live, asked);
  const call: Expectation["call"] = (store) => store.popMessage(context.id, { exchange });
  return existing(context, {
    call,
    messages: live.slice(cut),
    next: () => ({ ...present(context), live: live.slice(0, cut) }),
  });
}

/** Where there is no session there is nothing to clear. */
export function clear(context: ActContext): Expectation {
  const next = context.session === undefined ? undefined : { ...context.session, live: [] };
  return { call: (store) => store.clearSession(context.id), next: () => next };
}

export function remove({ which, stranger }: ActOf<"remove">, context: ActContext): Expectation {
  const live = liveOf(context);
  const ids = which.flatMap((one) => chosen(live, one)?.id ?? []);
  const all = stranger ? [...ids, NOBODY] : ids;
  const call: Expectation["call"] = (store) => store.removeMessages(context.id, all);
  if (stranger) return existing(context, { call, code: "MESSAGE_NOT_FOUND" });
  return existing(context, {
    call,
    next: () => ({ ...present(context), live: live.filter((message) => !ids.includes(message.id)) }),
  });
}

export function update({ which, text }: ActOf<"update">, context: ActContext): Expectation {
  const live = liveOf(context);
  const target = chosen(live, which);
  const message = { id: target?.id ?? NOBODY, role: target?.role ?? "user", content: text };
  const call: Expectation["call"] = (store) => store.updateMessage(context.id, message.id, message);
  if (target === undefined) return existing(context, { call, code: "MESSAGE_NOT_FOUND" });
  return {
    call,
    next: () => ({ ...present(context), live: live.map((one) => (one === target ? message : one)) }),
  };
}

export function revertTo({ which }: ActOf<"revert-to">, context: ActContext): Expectation {
  const live = liveOf(context);
  const target = chosen(live, which);
  const call: Expectation["call"] = (store) => store.revertToMessage(context.id, target?.id ?? NOBODY);
  if (target === undefined) return { call, code: "MESSAGE_NOT_FOUND" };
  return { call, next: () => ({ ...present(context), live: live.slice(0, live.indexOf(target) + 1) }) };
}

/** What is expected where there is a session; elsewhere it is not found. */
export function existing(context: ActContext, expectation: Expectation): Expectation {
  return context.session === undefined ? { call: expectation.call, code: "SESSION_NOT_FOUND" } : expectation;
}

/** The session, which is there. */
export function present(context: ActContext): NaiveSession {
  return context.session ?? EMPTY_SESSION;
}

export function liveOf(context: ActContext): readonly NaiveMessage[] {
  return context.session?.live ?? [];
}

function adding(context: ActContext, messages: readonly NaiveMessage[]): Expectation {
  return {
    call: (store) => store.addMessage(context.id, messages.map(asInput)),
    messages,
    next: () => ({ ...present(context), live: [...liveOf(context), ...messages] }),
  };
}

export function user(context: ActContext, content: string): NaiveMessage {
  return { id: context.newId(), role: "user", content };
}

/** A message as a caller gives it. */
export function asInput(message: Partial<NaiveMessage>): MessageInput {
  return { ...message, role: String(message.role) };
}
