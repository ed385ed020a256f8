import type { Deadline } from "./deadline.js";
import { Unanswered, Unconfirmed } from "./error-mapping.js";
import type { Keys } from "./keys.js";
import { listOf } from "./reply.js";
import type { Server } from "./server.js";

/** How long a mark stays, in milliseconds. Nobody reads it. */
const MARK_MS = 1000;

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

  /**
   * Throws `Unconfirmed` if too few of them have confirmed in time all that the primary had on the connection `epoch`. On
   * another connection there may be another primary, which never had it and would confirm that.
   */
  async confirm(sessionId: string, epoch: number, deadline: Deadline): Promise<void> {
    const ms = Math.max(1, Math.floor(deadline.leftMs) - 1);
    // WAIT waits for what was written on its own connection. So something is: to a key of the session's slot, which in a
    // Cluster also leads both commands to the same node.
    const mark = this.#keys.mark(sessionId);
    const replies = await this.#server.query(
      deadline,
      (client) => client.pipeline().set(mark, "", "PX", MARK_MS).wait(this.#replicas, ms).exec(),
      false,
    );
    const [written, waited] = replies ?? [];
    for (const [error] of [listOf(written), listOf(waited)]) if (error instanceof Error) throw error;
    if (this.#server.epoch !== epoch)
      throw new Unanswered("the connection was lost before replicas had confirmed");
    const confirmed = Number(listOf(waited)[1]);
    if (confirmed < this.#replicas)
      throw new Unconfirmed(`${confirmed} of ${this.#replicas} replicas have confirmed it in time`);
  }
}
