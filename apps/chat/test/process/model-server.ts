import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request that the server got. */
export interface Asked {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools: readonly string[];
}

/** What a server answers to one request: the deltas of a stream, or a refusal. */
export type Told = readonly object[] | { readonly status: number };

export const words = (...pieces: readonly string[]): Told => pieces.map((content) => ({ content }));

/** The model asks for a tool. */
export const call = (name: string, input: object): Told => [
  {
    tool_calls: [
      { index: 0, id: "call-1", type: "function", function: { name, arguments: JSON.stringify(input) } },
    ],
  },
];

/** A server that speaks the protocol of OpenAI's chat completions as far as a chat needs it, by a script. */
export class ModelServer {
  readonly asked: Asked[] = [];
  readonly #answers: Told[];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(answers: readonly Told[]) {
    this.#answers = [...answers];
  }

  static async start(...answers: readonly Told[]): Promise<ModelServer> {
    const server = new ModelServer(answers);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    onTestFinished(() => {
      server.#server.closeAllConnections();
      server.#server.close();
    });
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(askedIn(request, await bodyOf(request)));
    const told = this.#answers.shift() ?? { status: 500 };
    if ("status" in told) return void response.writeHead(told.status).end('{"error":{"message":"no"}}');
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of told) response.write(event({ choices: [{ index: 0, delta }] }));
    const reason = JSON.stringify(told).includes("tool_calls") ? "tool_calls" : "stop";
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }));
    response.write(event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 3 } }));
    response.end("data: [DONE]\n\n");
  }
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function askedIn({ headers }: IncomingMessage, body: string): Asked {
  const { model, messages, tools } = JSON.parse(body);
  const names = tools.map((tool: { function: { name: string } }) => tool.function.name);
  return { authorization: headers.authorization, model, messages, tools: names };
}
