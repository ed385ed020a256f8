import type { Clock } from "@sessions/protocol";
import { ConfirmationLane } from "./confirmation-lane.js";
import type { Deadline } from "./deadline.js";
import type { Keys } from "./keys.js";
import type { Server } from "./server.js";

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
  readonly clock: Clock;
}

/**
 * Waits until replicas have what was written. On a connection of its own: whoever waits for replicas is not answered anything else
 * meanwhile, so that one replica that is away would keep everybody from reading.
 */
export class Replication {
  readonly #context: ReplicationContext;
  /** One for all commits on one server. In a Cluster one for each session, whose node has to be asked. */
  readonly #lanes = new Map<string | undefined, ConfirmationLane>();
  #waiting: Server | undefined;
  #marks = 0;

  constructor(context: ReplicationContext) {
    this.#context = context;
  }

  /** As `ConfirmationLane.confirm`. */
  confirm(sessionId: string, epoch: number, deadline: Deadline): Promise<void> {
    const name = this.#context.server.client.isCluster ? sessionId : undefined;
    const lane = this.#lanes.get(name) ?? this.#open(name);
    return lane.confirm(epoch, deadline);
  }

  close(): void {
    this.#waiting?.client.disconnect();
  }

  #open(name: string | undefined): ConfirmationLane {
    const { server, keys, replicas, who, clock } = this.#context;
    const context = {
      server,
      waiting: () => this.#connection(),
      replicas,
      clock,
      nextNumber: () => ++this.#marks,
      onIdle: () => void this.#lanes.delete(name),
    };
    const lane = new ConfirmationLane(context, keys.mark(who, name));
    this.#lanes.set(name, lane);
    return lane;
  }

  #connection(): Server {
    if (this.#waiting === undefined) {
      this.#waiting = this.#context.openServer();
      this.#waiting.begin();
    }
    return this.#waiting;
  }
}
