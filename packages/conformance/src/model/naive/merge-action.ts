import { chosen } from "../choice.js";
import type { ActionIntent } from "./action-intent.js";
import type { Expectation } from "./expectation.js";
import { type ActionContext, asInput, liveOf, sessionOrEmpty, user } from "./message-actions.js";
import { allOf, type NaiveMessage, type NaiveRead } from "./naive-session.js";

type MergeIntent = Extract<ActionIntent, { readonly action: "merge" }>;

const NOTHING_READ: NaiveRead = { revision: 0, live: [], all: [] };

/** A caller writes back an earlier read without a message and with new ones: accepted if others have only added since. */
export function merge({ which, drop, texts }: MergeIntent, context: ActionContext): Expectation {
  const read = chosen(context.reads, which) ?? NOTHING_READ;
  const dropped = drop === undefined ? undefined : chosen(read.live, drop);
  const handed = [
    ...read.live.filter((message) => message !== dropped),
    ...texts.map((content) => user(context, content)),
  ];
  const call: Expectation["call"] = (store) =>
    store.setChatHistory(context.id, handed.map(asInput), { base: read.revision });
  const isGone = context.session === undefined && read.revision > 0;
  if (isGone || (context.session !== undefined && read.revision < context.rewrittenAt))
    return { call, code: "REVISION_CONFLICT" };
  const live = liveOf(context);
  const target = [...handed, ...live.filter((message) => !includesId(read.all, message))];
  const archived = sessionOrEmpty(context).archives.flatMap((archive) => archive.messages);
  return {
    call,
    rewrites: live.some(({ id }, index) => target[index]?.id !== id),
    next: () => ({
      ...sessionOrEmpty(context),
      live: target.filter((message) => !includesId(archived, message)),
    }),
  };
}

/** What a read of the session returns now. */
export function readOf({ session }: Pick<ActionContext, "session">, revision: number): NaiveRead {
  if (session === undefined) return NOTHING_READ;
  return { revision, live: session.live, all: allOf(session) };
}

function includesId(messages: readonly NaiveMessage[], { id }: NaiveMessage): boolean {
  return messages.some((message) => message.id === id);
}
