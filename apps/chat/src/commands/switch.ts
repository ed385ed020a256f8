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

async function sessionMeant(chat: Chat, argument: string): Promise<string> {
  const ids = (await conversations(chat)).map(({ id }) => id);
  return numbered(chat.listed.length > 0 ? chat.listed : ids, argument) ?? beginning(ids, argument);
}

/** The conversation with a number of the list that was shown, even if the order has changed since. */
const numbered = (ids: readonly string[], argument: string): string | undefined =>
  /^\d{1,4}$/.test(argument) ? ids[Number(argument) - 1] : undefined;

function beginning(ids: readonly string[], argument: string): string {
  if (ids.includes(argument)) return argument;
  const [found, ...others] = ids.filter((id) => id.startsWith(argument));
  if (found === undefined) throw new UsageError(`There is no conversation "${argument}". /list shows them.`);
  if (others.length === 0) return found;
  throw new UsageError(`"${argument}" begins ${others.length + 1} ids. Give more of it.`);
}
