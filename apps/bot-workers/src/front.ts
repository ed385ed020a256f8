import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Fleet } from "./fleet.js";
import { serveFetch } from "./serve-fetch.js";

/** The URL of the bot for the platform. It passes each delivery to a worker. */
export class Front {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/webhook`;
  }

  static async open(fleet: Fleet): Promise<Front> {
    const server = createServer((request, response) => serveFetch(handOn, request, response));
    async function handOn(request: Request): Promise<Response> {
      const worker = fleet.any();
      if (worker === undefined) return new Response(null, { status: 503 });
      const body = await request.text();
      // The worker was killed before it answered. The platform delivers again.
      return worker.deliver(body).catch(() => new Response(null, { status: 502 }));
    }
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("There is no port to listen on.");
    return new Front(server, address.port);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
