import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves a Fetch handler over HTTP, on this machine only. Resolves when it listens. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  port: number,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch((error: unknown) => fail(outgoing, error));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${addressOf(server).port}/` };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return address;
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await handle(await requestOf(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) await send(response.body, outgoing);
  outgoing.end();
}

async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url = "/" } = incoming;
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
  return new Request(new URL(url, "http://127.0.0.1"), { method, signal, ...body });
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
