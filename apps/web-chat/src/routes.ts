import { readFile } from "node:fs/promises";
import { createChatHandlers } from "@sessions/ai-sdk";
import type { SessionStore } from "@sessions/json-file";
import { MAX_BODY_BYTES } from "./guard.js";
import { tell } from "./story.js";

/** How long the answer of a killed server counts as running. */
const TTL_MS = 3000;

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Web chat</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  article { margin: 1rem 0; padding: .5rem 1rem; border-radius: .5rem; background: #f3f3f3; }
  article[data-role=user] { background: #e3eefc; }
  article[data-cut-off=true] { outline: 2px dashed #c60; }
  article p { white-space: pre-wrap; margin: 0; }
  footer, [role=alert] { color: #a40; }
  form { display: flex; gap: .5rem; position: sticky; bottom: 1rem; }
  input { flex: 1; font: inherit; padding: .4rem; }
</style>
<div id="root"></div>
<script type="module" src="/page.js"></script>
</html>`;

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
    respond: (request) => tell(request, delayMs),
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
    if (request.method !== "GET") return new Response("Not here.", { status: 405 });
    if (chatId !== undefined) return load(request);
    if (pathname === "/")
      return new Response(HTML, { headers: { "content-type": "text/html; charset=utf-8" } });
    if (pathname === "/page.js") return script();
    return new Response("Not found.", { status: 404 });
  };
}

async function script(): Promise<Response> {
  const text = await readFile(new URL("page.js", import.meta.url), "utf8");
  return new Response(text, { headers: { "content-type": "text/javascript; charset=utf-8" } });
}
