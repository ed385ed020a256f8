import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** Answers a Node.js request with a Fetch handler. An error of the handler is a 500. */
export function serveFetch(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method = "GET", url = "/" } = incoming;
  const answer = async (): Promise<void> => {
    const body = await text(incoming);
    const hasBody = method !== "GET" && method !== "HEAD";
    const request = new Request(`http://localhost${url}`, { method, ...(hasBody ? { body } : {}) });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  };
  answer().catch((error: unknown) => {
    console.error(error);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  });
}
