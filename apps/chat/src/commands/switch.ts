import type { Chat } from "../chat.js";
import { conversations } from "../sessions/conversations.js";
import { enterSession } from "../sessions/enter-session.js";
import { shortId } from "../sessions/short-id.js";
import { UsageError } from "../usage-error.js";
import type { Command } from "./command.js";

export const switchCommand: Command = {
  name: "/switch",
  takes: "NUMBER or ID",
  does: "goes on with another conversation: its number in /list, or how its id begins",
  async run(chat, argument) {
    if (argument === "") throw new UsageError("/switch needs a number of /list, or how an id begins.");
    await enterSession(chat, await sessionMeant(chat, argument));
    return undefined;
  },
  suggest: async (chat) => (await conversations(chat)).map(({ id }) => shortId(id)),
};

/** A number is one of the list that the user has seen, also if the order has changed since. */
async function sessionMeant(chat: Chat, argument: string): Promise<string> {
  const ids = (await conversations(chat)).map(({ id }) => id);
  const numbered = /^\d{1,4}$/.test(argument)
    ? (chat.listed.length > 0 ? chat.listed : ids)[Number(argument) - 1]
    : undefined;
  if (numbered !== undefined) return numbered;
  const [found, ...others] = ids.includes(argument)
    ? [argument]
    : ids.filter((id) => id.startsWith(argument));
  if (found === undefined) throw new UsageError(`There is no conversation "${argument}". /list shows them.`);
  if (others.length > 0)
    throw new UsageError(`"${argument}" begins ${others.length + 1} ids. Give more of it.`);
  return found;
}
