import type { Clock } from "@sessions/protocol";
import { Cluster, Command, Redis } from "ioredis";
import {
  asUnanswered,
  failureOf,
  isFinalRefusal,
  isForbidden,
  partOfCluster,
  slotIsMoving,
  Unanswered,
  Unsent,
} from "../error-mapping.js";
import type { Deadline } from "./deadline.js";
import { KeepAlive } from "./keep-alive.js";
import { slotOf } from "./partition-tags.js";
import { pause } from "./pause.js";
import { PendingReplies } from "./pending-replies.js";
import type { Script } from "./script.js";
import { WriteBatch } from "./write-batch.js";

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 200;
/** How long an attempt may take that is redirected several times. */
const ATTEMPT_MS = 250;

const UTF8 = { replyEncoding: "utf8" } as const;

/** A key or an argument of a script. */
export type Argument = string | number;

/** Makes a client that is not connected yet. It gives up connecting while no call waits for it. */
export type ClientFactory = (isNeeded: () => boolean) => Redis | Cluster;

/** Runs commands, each with a deadline of our own: ioredis would wait for ever, or send again what may have been done. */
export class Server {
  readonly client: Redis | Cluster;
  readonly #clock: Clock;
  readonly #keepAlive = new KeepAlive();
  readonly #replies: PendingReplies;
  readonly #writes = new WriteBatch();
  /** Why there is no connection. */
  #problem: Error | undefined;
  /** How many calls wait for a connection. */
  #waiting = 0;
  #isClosed = false;
  /** By node of a Cluster, and of the connection `#replicationEpoch`. */
  readonly #replicationIds = new Map<string, string>();
  #replicationEpoch = 0;
  /** How often a connection was lost: what was learnt from the server before need not be so any more. */
  epoch = 0;

  constructor(create: ClientFactory, clock: Clock) {
    this.#clock = clock;
    this.#replies = new PendingReplies(clock, this.#keepAlive, () => this.#leaveSilence());
    const isNeeded = (): boolean =>
      !isFinalRefusal(this.#problem) && (this.#waiting > 0 || this.#replies.size > 0);
    this.client = create(isNeeded);
    // Every call that waits for a connection listens.
    this.client.setMaxListeners(0);
    this.client.on("error", (error: Error) => this.#note(error));
    for (const event of ["close", "-node", "+node", "node error"])
      this.client.on(event, () => void this.epoch++);
    if (this.client instanceof Redis) doNotKeepAlive(this.client);
    else this.client.on("+node", (node: unknown) => node instanceof Redis && doNotKeepAlive(node));
  }

  get isCluster(): boolean {
    return this.client instanceof Cluster;
  }

  /** The servers that hold data. */
  get primaries(): readonly Redis[] {
    return this.client instanceof Cluster ? this.client.nodes("master") : [this.client];
  }

  /** Runs a script that may run twice: it is sent again until it is answered. */
  runRetryable(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
    deadline: Deadline,
  ): Promise<unknown> {
    return this.#run(script, [keys.length, ...keys, ...args], deadline, true);
  }

  /** Runs a script once: throws `Unanswered` where it may have run or not. */
  runOnce(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
    deadline: Deadline,
  ): Promise<unknown> {
    return this.#run(script, [keys.length, ...keys, ...args], deadline, false);
  }

  /** Sends commands, again until they are answered. */
  query<Result>(deadline: Deadline, send: (client: Redis | Cluster) => Promise<Result>): Promise<Result> {
    return this.#query(deadline, send, true);
  }

  /** Sends commands once: throws `Unanswered` where they may have been done or not. */
  queryOnce<Result>(deadline: Deadline, send: (client: Redis | Cluster) => Promise<Result>): Promise<Result> {
    return this.#query(deadline, send, false);
  }

  /**
   * The `master_replid` of the server that has a key, read once on each connection. It is another one after a failover. Empty
   * if the server does not tell.
   */
  replicationId(key: string, deadline: Deadline): string | Promise<string> {
    if (this.#replicationEpoch !== this.epoch) this.#replicationIds.clear();
    this.#replicationEpoch = this.epoch;
    return this.#replicationIds.get(this.#nodeKeyOf(key)) ?? this.#readReplicationId(key, deadline);
  }

  close(): void {
    this.#isClosed = true;
    this.client.disconnect();
    this.#replies.close();
    this.#keepAlive.close();
  }

  async #readReplicationId(key: string, deadline: Deadline): Promise<string> {
    const { epoch } = this;
    const [nodeKey, id] = await this.query(deadline, async () => {
      const asked = this.#nodeKeyOf(key);
      return [asked, await replicationIdOf(this.#nodeAt(asked))] as const;
    });
    if (epoch === this.epoch) this.#replicationIds.set(nodeKey, id);
    return id;
  }

  #nodeKeyOf(key: string): string {
    return this.client instanceof Cluster ? (this.client.slots[slotOf(key)]?.[0] ?? "") : "";
  }

  #nodeAt(nodeKey: string): Redis {
    if (this.client instanceof Redis) return this.client;
    const node = this.primaries.find(({ options: { host, port } }) => `${host}:${port}` === nodeKey);
    if (node === undefined) throw new Unsent("no node has the partition");
    return node;
  }

  #query<Result>(
    deadline: Deadline,
    send: (client: Redis | Cluster) => Promise<Result>,
    isRetryable: boolean,
  ): Promise<Result> {
    const attempt = (): Promise<Result> => this.#within(deadline, () => send(this.client));
    return attempt().catch((error: unknown) => this.#retry(error, deadline, attempt, isRetryable));
  }

  async #retry<Result>(
    first: unknown,
    deadline: Deadline,
    attempt: () => Promise<Result>,
    isRetryable: boolean,
  ): Promise<Result> {
    let error = first;
    let isSlotMoving = false;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
      const failure = failureOf(error);
      if (failure === "unanswered" && !isRetryable) throw asUnanswered(error);
      if (failure === "refused" || this.#isClosed) throw error;
      if (failure === "moved" && !this.isCluster) throw partOfCluster(error);
      isSlotMoving ||= failure === "busy";
      // An attempt that is cut off by the deadline may have been done: while a slot moves, none begins shortly before.
      if (deadline.leftMs <= ms + (isSlotMoving ? ATTEMPT_MS : 0))
        throw isSlotMoving ? slotIsMoving(error, deadline.passedMs) : error;
      this.#refreshSlots();
      await pause(this.#clock, ms);
      try {
        return await attempt();
      } catch (later) {
        error = later;
      }
    }
  }

  /** With callbacks up to the first failure: every further promise would be paid for by every commit. */
  #run(
    script: Script,
    args: readonly Argument[],
    deadline: Deadline,
    isRetryable: boolean,
  ): Promise<unknown> {
    const byHash = (): Promise<unknown> => this.#send("evalsha", [script.sha, ...args]);
    // After a restart or SCRIPT FLUSH the server has to be sent the text. It has run nothing.
    const byText = (error: unknown): Promise<unknown> => {
      if (!(error instanceof Error) || !error.message.includes("NOSCRIPT")) throw error;
      return this.#within(deadline, () => this.#send("eval", [script.lua, ...args]));
    };
    const attempt = (): Promise<unknown> => this.#within(deadline, byHash).catch(byText);
    const recover = async (error: unknown): Promise<unknown> => {
      try {
        return await byText(error);
      } catch (later) {
        return this.#retry(later, deadline, attempt, isRetryable);
      }
    };
    // A process that was stopped, or that did something else: nobody would wait for the reply.
    if (deadline.isOver) return Promise.reject(new Unsent("this process was busy until the deadline"));
    if (this.client.status !== "ready") return this.#within(deadline, byHash).catch(recover);
    return new Promise((resolve) => {
      this.#replies.wait(byHash(), deadline.endsAt, overdue, resolve, (error) => resolve(recover(error)));
    });
  }

  #send(command: string, args: Argument[]): Promise<unknown> {
    const sent = new Command(command, args, UTF8);
    // A lone call is sent at once. A Cluster has a connection for each node, and chooses by itself.
    if (this.#replies.size > 0 && this.client instanceof Redis) this.#writes.join(this.client.stream);
    this.client.sendCommand(sent);
    return sent.promise;
  }

  #within<Result>(deadline: Deadline, send: () => Promise<Result>): Promise<Result> {
    const wait = (): Promise<Result> =>
      new Promise((resolve, reject) => {
        this.#replies.wait(send(), deadline.endsAt, overdue, resolve, reject);
      });
    return this.client.status === "ready" ? wait() : this.#connected(deadline).then(wait);
  }

  /** Waits for a connection, and makes one where there is none. */
  #connected(deadline: Deadline): Promise<void> {
    const { client } = this;
    if (this.#isClosed) return Promise.reject(new Unsent("the connection is closed"));
    return new Promise((resolve, reject) => {
      this.#waiting++;
      const done = (): void => {
        this.#waiting--;
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
        reject(new Unsent(this.#problem?.message ?? "there is no connection", { cause: this.#problem }));
      };
      const cancel = this.#clock.after(Math.max(0, deadline.leftMs), ended);
      client.on("ready", ready);
      client.on("end", ended);
      if (client.status === "wait" || client.status === "end") this.#connect();
    });
  }

  #connect(): void {
    this.#problem = undefined;
    this.client.connect().catch((error: unknown) => {
      if (error instanceof Error) this.#problem ??= error;
    });
  }

  #note(error: Error): void {
    const cause = nodeErrorIn(error);
    if (isFinalRefusal(this.#problem)) return;
    this.#problem = cause;
    // ioredis would go on in database 0 where the server refuses the database.
    if (isFinalRefusal(cause) && this.client instanceof Redis) this.client.disconnect(true);
  }

  /** A firewall may have dropped the connection: it would stay silent for hours. The nodes of a Cluster have a timeout each. */
  #leaveSilence(): void {
    if (this.client instanceof Redis) this.client.stream.destroy(new Error("the server does not answer"));
  }

  /** A Cluster may have other primaries by now. */
  #refreshSlots(): void {
    if (this.client instanceof Cluster && this.client.status === "ready") this.client.refreshSlotsCache();
  }
}

function overdue(): Unanswered {
  return new Unanswered("no answer within the deadline");
}

function doNotKeepAlive(client: Redis): void {
  client.on("connect", () => void client.stream.unref());
}

/** A Cluster says only that no node can be used. Why not is what its last node said. */
function nodeErrorIn(error: Error): Error {
  return "lastNodeError" in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
}

async function replicationIdOf(node: Redis): Promise<string> {
  try {
    return /master_replid:(\w+)/.exec(await node.info("replication"))?.[1] ?? "";
  } catch (error) {
    if (error instanceof Error && isForbidden(error.message)) return "";
    throw error;
  }
}
