import type { Deadline } from "../engine/deadline.js";
import type { Server } from "../engine/server.js";
import type { RedisContext } from "../redis-context.js";

/** Messages that tell that something has changed, on a connection of their own. They may get lost: nobody relies on them. */
export class WakeUps {
  readonly #context: RedisContext;
  readonly #onMessage: (message: string) => void;
  #server: Server | undefined;
  /** The connection that is subscribed. */
  #epoch = -1;

  constructor(context: RedisContext, onMessage: (message: string) => void) {
    this.#context = context;
    this.#onMessage = onMessage;
  }

  /** Subscribes, if there is no connection that is. */
  async listen(deadline: Deadline): Promise<void> {
    const { openServer, keys } = this.#context;
    if (this.#server === undefined) {
      this.#server = openServer();
      this.#server.client.on("message", (_channel: string, message: string) => this.#onMessage(message));
    }
    const server = this.#server;
    if (server.client.status === "ready" && server.epoch === this.#epoch) return;
    await server.query(deadline, (client) => client.subscribe(keys.channel));
    this.#epoch = server.epoch;
  }

  close(): void {
    this.#server?.close();
    this.#server = undefined;
    this.#epoch = -1;
  }
}
