import type { Clock } from "@sessions/protocol";
import { type Cluster, Command, Redis } from "ioredis";
import { AwaitedAnswers } from "./awaited-answers.js";
import type { Deadline } from "./deadline.js";
import { failureOf, Unanswered, Unsent } from "./error-mapping.js";
import { pause } from "./pause.js";
import type { Script } from "./scripts.js";
import { SharedWrites } from "./shared-writes.js";

/** How long to wait before something is tried again, in milliseconds. */
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 200;

const UTF8 = { replyEncoding: "utf8" } as const;

/** Keys and arguments of a script. */
export type Text = string | number;

/**
 * Runs commands with a deadline of our own: ioredis would wait for ever, or send again what may have been done.
 */
export class Server {
  readonly client: Redis | Cluster;
  readonly #clock: Clock;
  readonly #answers: AwaitedAnswers;
  readonly #writes = new SharedWrites();
  /** Why there is no connection. */
  #problem: Error | undefined;
  /** How often a connection was lost: what was known of the server before need not be so any more. */
  epoch = 0;

  constructor(client: Redis | Cluster, clock: Clock) {
    this.client = client;
    this.#clock = clock;
    this.#answers = new AwaitedAnswers(clock, () => this.#leaveSilence());
    // Every call that waits for a connection listens.
    client.setMaxListeners(0);
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
  ask(script: Script, keys: readonly string[], args: readonly Text[], deadline: Deadline): Promise<unknown> {
    return this.#run(script, [keys.length, ...keys, ...args], deadline, true);
  }

  /** Runs a script once: throws `Unanswered` where it may have run or not. */
  tell(script: Script, keys: readonly string[], args: readonly Text[], deadline: Deadline): Promise<unknown> {
    return this.#run(script, [keys.length, ...keys, ...args], deadline, false);
  }

  /** Reads some fields of a hash, again until it is answered. */
  fields(key: string, names: readonly string[], deadline: Deadline): Promise<unknown> {
    return this.query(deadline, () => this.#sent("hmget", [key, ...names]));
  }

  /** Runs commands, again until they are answered; not so if they must not run `twice`. */
  query<Result>(
    deadline: Deadline,
    command: (client: Redis | Cluster) => Promise<Result>,
    twice = true,
  ): Promise<Result> {
    const attempt = (): Promise<Result> => this.#within(deadline, () => command(this.client));
    return attempt().catch((error: unknown) => this.#again(error, deadline, attempt, twice));
  }

  async #again<Result>(
    first: unknown,
    deadline: Deadline,
    attempt: () => Promise<Result>,
    twice: boolean,
  ): Promise<Result> {
    let error = first;
    for (let ms = FIRST_PAUSE; ; ms = Math.min(2 * ms, LONGEST_PAUSE)) {
      const failure = failureOf(error);
      if (failure === "unanswered" && !twice) throw asUnanswered(error);
      if (failure === "refused" || deadline.leftMs <= ms) throw error;
      this.#lookAround(failure);
      await pause(this.#clock, ms);
      try {
        return await attempt();
      } catch (later) {
        error = later;
      }
    }
  }

  /** With callbacks up to the first failure: every promise would be paid by every commit. */
  #run(script: Script, args: readonly Text[], deadline: Deadline, twice: boolean): Promise<unknown> {
    const byName = (): Promise<unknown> => this.#sent("evalsha", [script.sha, ...args]);
    // A server that was started anew, or whose scripts were flushed, has to see the whole of it.
    const whole = (error: unknown): Promise<unknown> => {
      if (!(error instanceof Error) || !error.message.includes("NOSCRIPT")) throw error;
      return this.#within(deadline, () => this.#sent("eval", [script.lua, ...args]));
    };
    const attempt = (): Promise<unknown> => this.#within(deadline, byName).catch(whole);
    const recover = async (error: unknown): Promise<unknown> => {
      try {
        return await whole(error);
      } catch (later) {
        return this.#again(later, deadline, attempt, twice);
      }
    };
    if (this.client.status !== "ready") return this.#within(deadline, byName).catch(recover);
    return new Promise((resolve) => {
      this.#answers.wait(byName(), deadline.endsAt, overdue, resolve, (error) => resolve(recover(error)));
    });
  }

  #sent(command: string, args: Text[]): Promise<unknown> {
    const sent = new Command(command, args, UTF8);
    // Who waits alone is sent at once. A Cluster has a connection for each node, and chooses by itself.
    if (this.#answers.areAwaited && this.client instanceof Redis) this.#writes.join(this.client.stream);
    this.client.sendCommand(sent);
    return sent.promise;
  }

  #within<Result>(deadline: Deadline, send: () => Promise<Result>): Promise<Result> {
    const wait = (): Promise<Result> =>
      new Promise((resolve, reject) => {
        this.#answers.wait(send(), deadline.endsAt, overdue, resolve, reject);
      });
    return this.client.status === "ready" ? wait() : this.#connected(deadline).then(wait);
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

  /** A firewall may have forgotten the connection: it would stay silent for hours. The nodes of a Cluster look for themselves. */
  #leaveSilence(): void {
    if (this.client instanceof Redis) this.client.stream.destroy(new Error("the server does not answer"));
  }

  /** A Cluster may have other primaries by now. */
  #lookAround(failure: ReturnType<typeof failureOf>): void {
    if (failure !== "refused" && this.client.isCluster && "refreshSlotsCache" in this.client)
      this.client.refreshSlotsCache();
  }
}

function overdue(): Unanswered {
  return new Unanswered("no answer within the deadline");
}

/** However the connection went away, it may have been done. */
function asUnanswered(error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  return new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
}
