import type { Clock } from "@sessions/protocol";
import type { Cluster, Redis } from "ioredis";
import type { Deadline } from "./deadline.js";
import { failureOf, Unanswered, Unsent } from "./error-mapping.js";
import { pause } from "./pause.js";
import type { Script } from "./scripts.js";

/** How long to wait before something is tried again, in milliseconds. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 200;

/** Keys and arguments of a script. */
export type Text = string | number;

/**
 * Runs commands with a deadline of our own: ioredis would wait for ever, or send again what may have been done.
 */
export class Server {
  readonly client: Redis | Cluster;
  readonly #clock: Clock;
  /** Why there is no connection. */
  #problem: Error | undefined;
  /** How often a connection was lost: what was known of the server before need not be so any more. */
  epoch = 0;

  constructor(client: Redis | Cluster, clock: Clock) {
    this.client = client;
    this.#clock = clock;
    client.on("error", (error: Error) => {
      this.#problem = error;
    });
    for (const event of ["close", "-node", "+node", "node error"]) client.on(event, () => void this.epoch++);
  }

  /** Connects, and goes on trying: calls wait for it until their deadline. */
  begin(): void {
    this.client.connect().catch((error: unknown) => {
      if (error instanceof Error) this.#problem ??= error;
    });
  }

  /** Runs a script that may run twice: it is sent again until it is answered. */
  async ask(
    script: Script,
    keys: readonly string[],
    args: readonly Text[],
    deadline: Deadline,
  ): Promise<unknown> {
    return this.retried(deadline, () => this.#run(script, keys, args, deadline), true);
  }

  /** Runs a script once: throws `Unanswered` where it may have run or not. */
  async tell(
    script: Script,
    keys: readonly string[],
    args: readonly Text[],
    deadline: Deadline,
  ): Promise<unknown> {
    return this.retried(deadline, () => this.#run(script, keys, args, deadline), false);
  }

  /** Runs commands, again until they are answered; not so if they must not run `twice`. */
  async query<Result>(
    deadline: Deadline,
    command: (client: Redis | Cluster) => Promise<Result>,
    twice = true,
  ): Promise<Result> {
    return this.retried(deadline, () => this.#within(deadline, () => command(this.client)), twice);
  }

  async retried<Result>(deadline: Deadline, attempt: () => Promise<Result>, twice: boolean): Promise<Result> {
    for (let ms = FIRST_PAUSE; ; ms = Math.min(2 * ms, LONGEST_PAUSE)) {
      try {
        return await attempt();
      } catch (error) {
        const failure = failureOf(error);
        if (failure === "unanswered" && !twice) throw asUnanswered(error);
        if (failure === "refused" || deadline.leftMs <= ms) throw error;
        this.#lookAround(failure);
        await pause(this.#clock, ms);
      }
    }
  }

  async #run(
    script: Script,
    keys: readonly string[],
    args: readonly Text[],
    deadline: Deadline,
  ): Promise<unknown> {
    try {
      return await this.#within(deadline, () =>
        this.client.evalsha(script.sha, keys.length, ...keys, ...args),
      );
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("NOSCRIPT")) throw error;
      return this.#within(deadline, () => this.client.eval(script.lua, keys.length, ...keys, ...args));
    }
  }

  async #within<Result>(deadline: Deadline, send: () => Promise<Result>): Promise<Result> {
    if (this.client.status !== "ready") await this.#connected(deadline);
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(Math.max(0, deadline.leftMs), () =>
        reject(new Unanswered("no answer within the deadline")),
      );
      send().then(resolve, reject).finally(cancel);
    });
  }

  /** Waits for a connection. */
  #connected(deadline: Deadline): Promise<void> {
    const { client } = this;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        cancel();
        client.off("ready", ready);
        client.off("end", ended);
      };
      const ready = (): void => {
        done();
        resolve();
      };
      const ended = (): void => {
        done();
        reject(new Unsent(this.#problem?.message ?? "the connection is closed", { cause: this.#problem }));
      };
      const cancel = this.#clock.after(Math.max(0, deadline.leftMs), ended);
      if (client.status === "end") {
        ended();
        return;
      }
      client.on("ready", ready);
      client.on("end", ended);
    });
  }

  /** A Cluster may have other primaries by now. */
  #lookAround(failure: ReturnType<typeof failureOf>): void {
    if (failure !== "refused" && this.client.isCluster && "refreshSlotsCache" in this.client)
      this.client.refreshSlotsCache();
  }
}

/** However the connection went away, it may have been done. */
function asUnanswered(error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  return new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
}
