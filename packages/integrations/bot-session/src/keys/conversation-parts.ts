import { invalid } from "@sessions/turn-runner";
import type { BotTarget, Identity } from "../bot-update.js";
import type { BotScope } from "../options.js";
import { platformId } from "./platform-id.js";

/** Where a conversation takes place: with one person, or in a place where several may speak. */
export type ConversationPlace = PersonPlace | { readonly kind: "place"; readonly parts: readonly string[] };

/** A conversation with one person. */
export interface PersonPlace {
  readonly kind: "person";
  readonly identity: Required<Identity> & { readonly user: string };
}

/** The part of the key that all conversations of a bot share. */
export interface KeySpace {
  readonly platform: string;
  readonly account: string;
  readonly scope: BotScope;
}

/** The conversation of a target. */
export function conversationPlace(
  { platform, account, scope }: KeySpace,
  target: BotTarget,
): ConversationPlace {
  const user = platformId(target.user, "update.user");
  if (target.direct === true || scope === "user")
    return { kind: "person", identity: { platform, account, user } };
  if (target.chat === undefined)
    throw invalid("update.chat", `is missing: the scope is "${scope}", and this is no direct message.`);
  const chat = platformId(target.chat, "update.chat");
  if (scope === "chat" || target.thread === undefined)
    return { kind: "place", parts: ["chat", platform, account, chat] };
  const thread = platformId(target.thread, "update.thread");
  return { kind: "place", parts: ["thread", platform, account, chat, thread] };
}

/** The key parts of a person's own conversation. */
export function personParts({ platform, account = "", user }: Identity): readonly string[] {
  return ["user", platform, account, platformId(user, "identity.user")];
}
