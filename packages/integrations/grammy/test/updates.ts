import type { Update, UserFromGetMe } from "grammy/types";

/** What a bot is called; with it, it needs no network to begin. */
export const botInfo: UserFromGetMe = {
  id: 1,
  is_bot: true,
  first_name: "Bot",
  username: "bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  can_manage_bots: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  supports_join_request_queries: false,
};

/** A message of a user, as Telegram delivers it. */
export function messageUpdate(id: number, text: string, chatId = 42, userId = chatId): Update {
  const from = { id: userId, is_bot: false, first_name: "Ann" };
  const chat = { id: chatId, type: "private", first_name: "Ann" } as const;
  return { update_id: id, message: { message_id: id, date: 1_770_000_000, chat, from, text } };
}
