import { createChatHandlers } from "@sessions/ai-sdk";
import type { SessionStore } from "@sessions/json-file";
import { chatsResponse } from "./chats/chats-routes.js";
import { nameChat } from "./chats/name-chat.js";
import { MAX_BODY_BYTES } from "./guard.js";
import { pageFile } from "./page-files.js";
import { tell } from "./story.js";

/** How long the answer of a killed server counts as running. */
const TTL_MS = 3000;

/** The handler of all routes. */
export function routes(store: SessionStore, delayMs: number): (request: Request) => Promise<Response> {
  const { post, resume, stop, load } = createChatHandlers({
    store,
    // There is one user, because serve.ts refuses other machines. With several users, return the id of the user here.
    authorize: "public",
    maxBodyBytes: MAX_BODY_BYTES,
    onError: (error) => {
      console.error(error);
      return "An error occurred.";
    },
    respond: async (request) => {
      await nameChat(store, request.sessionId, request.messages);
      return tell(request, delayMs);
    },
    ttlMs: TTL_MS,
    checkpoint: { everyMs: 100 },
    owner: `web-chat, process ${process.pid}`,
  });
  return async (request) => {
    const { pathname } = new URL(request.url);
    const [, chatId] = /^\/api\/chat\/([^/]+)$/.exec(pathname) ?? [];
    if (request.method === "POST" && pathname === "/api/chat") return post(request);
    if (request.method === "GET" && /^\/api\/chat\/[^/]+\/stream$/.test(pathname)) return resume(request);
    if (request.method === "DELETE" && chatId !== undefined) return stop(request);
    const ofList = await chatsResponse({ store, stop }, request);
    if (ofList !== undefined) return ofList;
    if (request.method !== "GET") return new Response("Not here.", { status: 405 });
    if (chatId !== undefined) return load(request);
    return (await pageFile(request)) ?? new Response("Not found.", { status: 404 });
  };
}
