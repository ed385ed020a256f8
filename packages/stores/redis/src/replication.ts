import type { Deadline } from "./deadline.js";
import { Unconfirmed } from "./error-mapping.js";
import type { Keys } from "./keys.js";
import { listOf } from "./reply.js";
import type { Server } from "./server.js";

/** Waits until replicas have what was written. */
export class Replication {
  readonly #server: Server;
  readonly #keys: Keys;
  readonly #replicas: number;

  constructor(server: Server, keys: Keys, replicas: number) {
    this.#server = server;
    this.#keys = keys;
    this.#replicas = replicas;
  }

  /** Throws `Unconfirmed` if too few of them have confirmed it in time. */
  async confirm(sessionId: string, deadline: Deadline): Promise<void> {
    const ms = Math.max(1, Math.floor(deadline.leftMs) - 1);
    // A command on the session's key goes first, so that in a Cluster both go to the node that has written.
    const replies = await this.#server.query(deadline, (client) =>
      client.pipeline().exists(this.#keys.session(sessionId).window).wait(this.#replicas, ms).exec(),
    );
    const [, waited] = replies ?? [];
    const [error, confirmed] = listOf(waited);
    if (error instanceof Error) throw error;
    if (Number(confirmed) < this.#replicas)
      throw new Unconfirmed(`${Number(confirmed)} of ${this.#replicas} replicas have confirmed it in time`);
  }
}
