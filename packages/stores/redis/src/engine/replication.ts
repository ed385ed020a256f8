import type { Clock } from "@sessions/protocol";
import { asUnanswered, Unconfirmed } from "../error-mapping.js";
import type { Deadline } from "./deadline.js";
import { ReplicaConfirmation } from "./replica-confirmation.js";
import type { Server } from "./server.js";

interface ReplicationContext {
  /** The connection that commits are sent on. */
  readonly server: Server;
  /** Another connection to the same servers. */
  readonly openServer: () => Server;
  /** A key of this store instance in a partition. */
  readonly markKey: (partition: number) => string;
  /** How many replicas must have a commit. */
  readonly replicas: number;
  readonly clock: Clock;
}

/**
 * Waits until replicas have what was written. On a connection of its own: a server answers nothing else on a connection that
 * waits for replicas, so one replica that is away would keep every reader waiting.
 */
export class Replication {
  readonly #context: ReplicationContext;
  /** One for all commits on one server. In a Cluster one for each partition, whose node has to be asked. */
  readonly #confirmations = new Map<number, ReplicaConfirmation>();
  #waiting: Server | undefined;
  #marks = 0;

  constructor(context: ReplicationContext) {
    this.#context = context;
  }

  /**
   * Waits for what a call on the connection `epoch` has read or written. Throws `Unconfirmed` or `Unanswered`: the commit was
   * applied, whatever fails now.
   */
  async confirm(partition: number, epoch: number, deadline: Deadline): Promise<void> {
    const asked = this.#context.server.isCluster ? partition : 0;
    const confirmation = this.#confirmations.get(asked) ?? this.#begin(asked);
    try {
      await confirmation.confirm(epoch, deadline);
    } catch (error) {
      throw error instanceof Unconfirmed ? error : asUnanswered(error);
    }
  }

  close(): void {
    this.#waiting?.close();
  }

  #begin(partition: number): ReplicaConfirmation {
    const { server, replicas, clock, markKey } = this.#context;
    const context = {
      server,
      waiting: () => (this.#waiting ??= this.#context.openServer()),
      replicas,
      clock,
      nextNumber: () => ++this.#marks,
      onIdle: () => void this.#confirmations.delete(partition),
    };
    const confirmation = new ReplicaConfirmation(context, markKey(partition));
    this.#confirmations.set(partition, confirmation);
    return confirmation;
  }
}
