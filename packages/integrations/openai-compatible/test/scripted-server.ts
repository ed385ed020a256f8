import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type ChatRequest, problemIn } from "./chat-request.js";

/** A request that arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: ChatRequest;
  /** The number of its connection, from 1. */
  readonly connection: number;
}

/** How the server replies to an accepted request. */
export type Reply = (exchange: Exchange) => Promise<void> | void;

/** One request and the server's side of its answer. */
class Exchange {
  readonly received: Received;
  /** Resolves when the connection is gone or the response is complete, to whether it was complete. */
  readonly closed: Promise<boolean>;
  readonly #response: ServerResponse;

  constructor(received: Received, response: ServerResponse) {
    this.received = received;
    this.#response = response;
    this.closed = new Promise((resolve) => {
      response.once("close", () => resolve(response.writableFinished));
    });
  }

  /** Sends bytes as one HTTP chunk. The first call sends the head of the stream before. */
  write(bytes: string | Uint8Array): Promise<void> {
    if (!this.#response.headersSent) this.head(200, { "content-type": "text/event-stream" });
    return new Promise((resolve) => {
      this.#response.write(bytes, () => resolve());
    });
  }

  /** Sends one event of the stream. */
  send(chunk: object): Promise<void> {
    return this.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Ends the stream with `[DONE]`. */
  async done(): Promise<void> {
    await this.write("data: [DONE]\n\n");
    this.end();
  }

  /** Ends the body. */
  end(rest = ""): void {
    this.#response.end(rest);
  }

  /** Closes the connection in the middle of the response. */
  cut(): void {
    this.#response.socket?.destroy();
  }

  /** Resets the connection, as a server does that crashes. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }
}

/**
 * A local server with scripted replies to `/chat/completions`. Like a provider, it refuses a request with inconsistent
 * messages with 400, whatever the script says.
 */
export class ScriptedServer implements AsyncDisposable {
  /** All requests, refused or not. */
  readonly received: Received[] = [];
  /** Why requests were refused with 400. */
  readonly refusals: string[] = [];
  readonly #script: Reply[];
  readonly #server: Server;
  #connections = 0;

  private constructor(script: readonly Reply[]) {
    this.#script = [...script];
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(asError(error)));
    });
    this.#server.on("connection", (socket) => {
      socket.setNoDelay(true);
      numbers.set(socket, ++this.#connections);
    });
  }

  static async start(...script: readonly Reply[]): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** The URL before `/chat/completions`. */
  get baseURL(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The server does not listen.");
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /** The bodies of all requests, in order. */
  get bodies(): readonly ChatRequest[] {
    return this.received.map(({ body }) => body);
  }

  /** The number of unused replies of the script. */
  get left(): number {
    return this.#script.length;
  }

  /** Adds a reply to the script. */
  next(...replies: readonly Reply[]): void {
    this.#script.push(...replies);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: ChatRequest = JSON.parse(await text(request));
    const { method = "", url = "", headers, socket } = request;
    const received = { method, url, headers, body, connection: numbers.get(socket) ?? 0 };
    this.received.push(received);
    const exchange = new Exchange(received, response);
    await this.#reply(body)(exchange);
  }

  #reply(body: ChatRequest): Reply {
    const problem = problemIn(body);
    if (problem !== undefined) {
      this.refusals.push(problem);
      return refused(400, { error: { message: problem, type: "invalid_request_error", code: null } });
    }
    return this.#script.shift() ?? refused(400, { error: { message: "The script of this test is over." } });
  }
}

const numbers = new WeakMap<object, number>();

/** Replies with an error status and a body. */
export function refused(status: number, body: object | string, headers: Record<string, string> = {}): Reply {
  return (exchange) => {
    const plain = typeof body === "string";
    exchange.head(status, { "content-type": plain ? "text/html" : "application/json", ...headers });
    exchange.end(plain ? body : JSON.stringify(body));
  };
}

/** Replies with these chunks, each in a separate write, and `[DONE]`. */
export function streamed(...chunks: readonly object[]): Reply {
  return async (exchange) => {
    for (const chunk of chunks) await exchange.send(chunk);
    await exchange.done();
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
