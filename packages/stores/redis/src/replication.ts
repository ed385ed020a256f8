import type { Deadline } from "./deadline.js";
import { Unanswered, Unconfirmed } from "./error-mapping.js";
import type { Keys } from "./keys.js";
import type { Server } from "./server.js";

/** How much longer than the call a mark stays, in milliseconds. */
const MARK_MS = 1000;

/** So much earlier than the call the server ends its waiting, so that its answer is here in time: how many have confirmed. */
const ANSWER_MS = 20;

interface ReplicationContext {
  /** The connection that commits are sent on. */
  readonly server: Server;
  /** Another connection to the same place. */
  readonly openServer: () => Server;
  readonly keys: Keys;
  /** How many replicas must have a commit. */
  readonly replicas: number;
  /** Names this store among all that are open. */
  readonly who: string;
}

/**
 * Waits until replicas have what was written. On a connection of its own: whoever waits for replicas is not answered anything else
 * meanwhile, so that one replica that is away would keep everybody from reading.
 */
export class Replication {
  readonly #context: ReplicationContext;
  #waiting: Server | undefined;
  #marks = 0;

  constructor(context: ReplicationContext) {
    this.#context = context;
  }

  /**
   * Throws `Unconfirmed` if too few of them have confirmed in time all that the primary had on the connection `epoch`. On
   * another connection there may be another primary, which never had it and would confirm that.
   */
  async confirm(sessionId: string, epoch: number, deadline: Deadline): Promise<void> {
    const { server, keys, replicas, who } = this.#context;
    const mark = keys.mark(sessionId, who);
    const number = ++this.#marks;
    const ms = Math.max(1, Math.floor(deadline.leftMs)) + MARK_MS;
    // Behind the commit, on the connection that it was sent on: a server that has the mark has the commit.
    await server.query(deadline, (client) => client.set(mark, number, "PX", ms), false);
    if (server.epoch !== epoch) throw new Unanswered("the connection was lost before replicas had confirmed");
    const confirmed = await this.#confirmed(mark, number, deadline);
    if (confirmed < replicas)
      throw new Unconfirmed(`${confirmed} of ${replicas} replicas have confirmed it in time`);
  }

  close(): void {
    this.#waiting?.client.disconnect();
  }

  /** How many replicas have all that a server had when it had the mark. */
  async #confirmed(mark: string, number: number, deadline: Deadline): Promise<number> {
    const [found, , confirmed] = await this.#connection().query(deadline, async (client) => {
      const ms = Math.max(1, Math.floor(deadline.leftMs) - ANSWER_MS);
      // WAIT waits for what was written on its own connection: so something is, and that is later than the mark. It also leads all of
      // them to the same node of a Cluster.
      const replies = await client
        .pipeline()
        .get(mark)
        .pexpire(mark, ms + MARK_MS)
        .wait(this.#context.replicas, ms)
        .exec();
      return (replies ?? []).map(([error, reply]) => {
        if (error !== null) throw error;
        return reply;
      });
    });
    // Marks of one store are numbered: a later one stands behind all commits that an earlier one stands behind.
    if (found === null || Number(found) < number)
      throw new Unanswered("the server that was asked for its replicas is not the one that was written to");
    return Number(confirmed);
  }

  #connection(): Server {
    if (this.#waiting === undefined) {
      this.#waiting = this.#context.openServer();
      this.#waiting.begin();
    }
    return this.#waiting;
  }
}
