import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MAX_BODY_BYTES, type Refusal, refusalOf, TOO_LARGE } from "./guard.js";

/** Headers by which browsers refuse to embed or run responses of this server in other sites. */
const HEADERS = { "x-content-type-options": "nosniff", "x-frame-options": "DENY" };

/**
 * Serves a Fetch handler over HTTP, only to its own page on this machine. `allowedHosts` are further host names with ports.
 * Resolves when it listens.
 */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  port: number,
  allowedHosts: readonly string[] = [],
): Promise<{ readonly server: Server; readonly url: string }> {
  const hosts = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const server = createServer((incoming, outgoing) => {
    answer(handle, hosts, incoming, outgoing).catch((error: unknown) => fail(outgoing, error));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: actual } = addressOf(server);
  for (const name of ["127.0.0.1", "localhost"]) hosts.add(`${name}:${actual}`);
  return { server, url: `http://127.0.0.1:${actual}/` };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return address;
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  hosts: ReadonlySet<string>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { url = "/", headers } = incoming;
  if (!URL.canParse(url, "http://127.0.0.1"))
    return refuse(incoming, outgoing, { status: 400, text: "That is no address." });
  // The path as the routes see it: "//x/api/chat" and "/./api/chat" lead to the same route as "/api/chat".
  const refusal = refusalOf({ path: new URL(url, "http://127.0.0.1").pathname, headers }, hosts);
  if (refusal !== undefined) return refuse(incoming, outgoing, refusal);
  const body = await bodyOf(incoming);
  if (body === undefined) return refuse(incoming, outgoing, TOO_LARGE);
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await handle(requestOf(incoming, body, gone.signal));
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...HEADERS });
  if (response.body !== null) await send(response.body, outgoing);
  outgoing.end();
}

const LINGER_MS = 1000;

/**
 * Responds before the request is read. Discards the rest of the request for a second and then closes the connection. If it were
 * closed at once, with unread data, the client would get a reset in place of the response.
 */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, { status, text }: Refusal): void {
  const closing = setTimeout(() => incoming.socket.destroy(), LINGER_MS);
  incoming.once("close", () => clearTimeout(closing)).resume();
  outgoing.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" }).end(text);
}

/** Reads a body. Returns `undefined` if it is too large, without keeping more in memory. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requestOf(incoming: IncomingMessage, body: Buffer<ArrayBuffer>, signal: AbortSignal): Request {
  const { method = "GET", url = "/" } = incoming;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = body.length > 0 && method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://127.0.0.1"), {
    method,
    headers,
    signal,
    ...(hasBody ? { body } : {}),
  });
}

async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel();
  outgoing.once("close", leave);
  for (let next = await reader.read(); !next.done; next = await reader.read())
    if (!outgoing.write(next.value)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
  outgoing.off("close", leave);
}

function fail(outgoing: ServerResponse, error: unknown): void {
  console.error(error);
  if (!outgoing.headersSent) outgoing.writeHead(500);
  outgoing.end();
}
