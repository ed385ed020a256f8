import { sessionKey } from "@sessions/protocol";
import type { ChatHandlersOptions } from "./options.js";

/** The session of a chat, once `authorize` has let the request pass. It throws a `Response` where it does not. */
export function authorizedSession({
  authorize,
  sessionIdOf,
}: Pick<ChatHandlersOptions, "authorize" | "sessionIdOf">): (
  request: Request,
  chatId: string,
) => Promise<string> {
  if (authorize === "public") return async (request, chatId) => sessionIdOf?.(request, chatId) ?? chatId;
  return async (request, chatId) => {
    const user: unknown = await authorize(request, chatId);
    if (typeof user !== "string" || user === "") throw forbidden();
    return sessionIdOf === undefined ? sessionKey(user, chatId) : sessionIdOf(request, chatId);
  };
}

function forbidden(): Response {
  return new Response("You may not use this chat.", {
    status: 403,
    headers: { "x-session-error": "FORBIDDEN" },
  });
}
