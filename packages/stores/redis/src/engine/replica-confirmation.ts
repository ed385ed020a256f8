import type { Clock } from "@sessions/protocol";
import { Unanswered, Unconfirmed } from "../error-mapping.js";
import type { Deadline } from "./deadline.js";
import type { Server } from "./server.js";

/** How much longer than the calls a mark stays. */
const MARK_MS = 1000;

/**
 * So much earlier than the calls the server ends its waiting, so that its answer arrives in time: how many have confirmed. An idle
 * server notices that a time is over up to 100 ms later.
 */
const ANSWER_MS = 500;

interface ConfirmationContext {
  /** The connection that commits are sent on. */
  readonly server: Server;
  /** The one that waits for replicas. */
  readonly waiting: () => Server;
  /** How many replicas must have a commit. */
  readonly replicas: number;
  readonly clock: Clock;
  /** The next number of a mark. None is used twice while a mark may still be there. */
  readonly nextNumber: () => number;
  /** Called when nothing is waited for any more. */
  readonly onIdle: () => void;
}

/** A commit that waits for replicas. */
interface WaitingCommit {
  /** The connection that it was written on. */
  readonly epoch: number;
  readonly deadline: Deadline;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits on one server that replicas confirm together: while some are waited for, the next ones gather. */
export class ReplicaConfirmation {
  readonly #context: ConfirmationContext;
  readonly #mark: string;
  #gathered: WaitingCommit[] = [];
  #isRunning = false;

  /** `mark`: a key on that server, of nobody else. */
  constructor(context: ConfirmationContext, mark: string) {
    this.#context = context;
    this.#mark = mark;
  }

  /**
   * Throws `Unconfirmed` if too few replicas have confirmed in time all that the primary had on the connection `epoch`. On another
   * connection there may be another primary, which never had it and would confirm that.
   */
  async confirm(epoch: number, deadline: Deadline): Promise<void> {
    let cancel: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const late = (): void => reject(new Unconfirmed("replicas have not confirmed it in time"));
        cancel = this.#context.clock.after(Math.max(0, deadline.leftMs), late);
        this.#gathered.push({ epoch, deadline, resolve, reject });
        if (!this.#isRunning) void this.#run();
      });
    } finally {
      cancel();
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#gathered.length > 0) {
      const together = this.#gathered.filter(({ deadline }) => !deadline.isOver);
      this.#gathered = [];
      if (together.length > 0) await this.#round(together, earliest(together));
    }
    this.#isRunning = false;
    this.#context.onIdle();
  }

  async #round(together: readonly WaitingCommit[], deadline: Deadline): Promise<void> {
    try {
      await this.#ask(together, deadline);
    } catch (error) {
      // That the time of one of them is over says nothing of the others.
      for (const waiting of together)
        if (deadline.isOver && !waiting.deadline.isOver) this.#gathered.push(waiting);
        else waiting.reject(error);
    }
  }

  async #ask(together: readonly WaitingCommit[], deadline: Deadline): Promise<void> {
    const { server, replicas } = this.#context;
    const number = this.#context.nextNumber();
    const ms = Math.max(1, Math.floor(deadline.leftMs)) + MARK_MS;
    // Behind the commits, on the connection that they were sent on: a server that has the mark has the commits.
    await server.queryOnce(deadline, (client) => client.set(this.#mark, number, "PX", ms));
    const { epoch } = server;
    const confirmed = await this.#confirmed(number, deadline);
    for (const waiting of together)
      if (waiting.epoch !== epoch)
        waiting.reject(new Unanswered("the connection was lost before replicas had confirmed"));
      else if (confirmed >= replicas) waiting.resolve();
      else if (waiting.deadline.leftMs > ANSWER_MS) this.#gathered.push(waiting);
      else waiting.reject(new Unconfirmed(`${confirmed} of ${replicas} replicas have confirmed it in time`));
  }

  /** How many replicas have all that a server had when it had the mark. */
  async #confirmed(number: number, deadline: Deadline): Promise<number> {
    const { waiting, replicas } = this.#context;
    const [found, , confirmed] = await waiting().query(deadline, async (client) => {
      const { leftMs } = deadline;
      const ms = Math.max(1, Math.floor(leftMs - Math.min(ANSWER_MS, leftMs / 4)));
      // WAIT waits for what was written on its own connection: so something is, and that is later than the mark. It also leads all
      // of them to the same node of a Cluster.
      const replies = await client
        .pipeline()
        .get(this.#mark)
        .pexpire(this.#mark, ms + MARK_MS)
        .wait(replicas, ms)
        .exec();
      return (replies ?? []).map(([error, reply]) => {
        if (error !== null) throw error;
        return reply;
      });
    });
    if (found !== `${number}`)
      throw new Unanswered("the server that was asked for its replicas is not the one that was written to");
    return Number(confirmed);
  }
}

function earliest(together: readonly WaitingCommit[]): Deadline {
  return together
    .map(({ deadline }) => deadline)
    .reduce((one, other) => (other.endsAt < one.endsAt ? other : one));
}
