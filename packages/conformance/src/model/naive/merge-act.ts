import { chosen } from "../choice.js";
import type { ActIntent } from "./act-intent.js";
import type { Expectation } from "./expectation.js";
import { type ActContext, asInput, liveOf, present, user } from "./message-acts.js";
import { allOf, type NaiveMessage, type NaiveRead } from "./naive-session.js";

type MergeIntent = Extract<ActIntent, { readonly act: "merge" }>;

const NOTHING_READ: NaiveRead = { revision: 0, live: [], all: [] };

/** Somebody read the session some time ago, drops a message and adds some: possible if others have only added since. */
export function merge({ which, drop, texts }: MergeIntent, context: ActContext): Expectation {
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
  const target = [...handed, ...live.filter((message) => !holds(read.all, message))];
  const archived = present(context).archives.flatMap((archive) => archive.messages);
  return {
    call,
    rewrites: live.some(({ id }, index) => target[index]?.id !== id),
    next: () => ({ ...present(context), live: target.filter((message) => !holds(archived, message)) }),
  };
}

/** What a reader of the session sees now. */
export function readOf({ session }: Pick<ActContext, "session">, revision: number): NaiveRead {
  if (session === undefined) return NOTHING_READ;
  return { revision, live: session.live, all: allOf(session) };
}

function holds(messages: readonly NaiveMessage[], { id }: NaiveMessage): boolean {
  return messages.some((message) => message.id === id);
}
