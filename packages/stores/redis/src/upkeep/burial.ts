import type { Clock } from "@sessions/protocol";
import { labelSets, readIndexEntry } from "../commit/index-changes.js";
import { Deadline } from "../engine/deadline.js";
import type { Partitions } from "../engine/partitions.js";
import { numberOf } from "../engine/reply.js";
import { BURY, FORGET } from "../engine/scripts.js";
import type { Server } from "../engine/server.js";
import type { Keys, PartitionKeys } from "../keys/keys.js";
import { idOfMember } from "../keys/member.js";
import { requireIndex } from "../listing/index-reply.js";
import type { Warnings } from "./warnings.js";

const SESSIONS_PER_CALL = 100;
/** A script takes some 8 000 arguments; a session has up to 65 sets. */
const MAX_KEYS = 3000;

interface BurialContext {
  readonly server: Server;
  readonly partitions: Partitions;
  readonly keys: Keys;
  readonly warnings: Warnings;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly location: string;
  readonly nonce: () => string;
}

/** A session that has ended and is still in the index. */
interface DueSession {
  readonly member: string;
  readonly end: string;
  readonly entry: string;
  /** Its record, its content, and the sets that it is in. */
  readonly keys: readonly string[];
}

/** Takes sessions that have ended out of the index, and forgets tombstones whose time is over. */
export class Burial {
  readonly #context: BurialContext;
  readonly #waiting = new Set<PartitionKeys>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: BurialContext) {
    this.#context = context;
  }

  /** In the background: whoever has met such a session need not wait for it. */
  soon(partition: PartitionKeys): void {
    if (this.#isStopped) return;
    this.#waiting.add(partition);
    this.#running ??= this.#runWaiting().finally(() => {
      this.#running = undefined;
    });
  }

  /** Until nothing is due in a partition. */
  async run(partition: PartitionKeys, deadline: Deadline): Promise<void> {
    while (!this.#isStopped && (await this.#burySome(partition, deadline)));
    while (!this.#isStopped && (await this.#forgetSome(partition, deadline)));
  }

  /** Nothing is written any more once this has resolved. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #runWaiting(): Promise<void> {
    const { clock, deadlineMs, warnings } = this.#context;
    for (const partition of this.#waiting) {
      this.#waiting.delete(partition);
      try {
        await this.run(partition, new Deadline(clock, deadlineMs));
        warnings.clear(`burial ${partition.tag}`);
      } catch (error) {
        // They are left out of lists all the same, and looked for again by the next one.
        const problem = error instanceof Error ? error.message : String(error);
        warnings.set(
          `burial ${partition.tag}`,
          `Sessions that have ended could not be taken out of the index: ${problem}`,
        );
      }
    }
  }

  /** Whether there may be more. */
  async #burySome(partition: PartitionKeys, deadline: Deadline): Promise<boolean> {
    const due = await this.#due(partition, deadline);
    let buried = 0;
    for (const some of inCalls(due)) buried += await this.#bury(partition, some, deadline);
    return buried > 0 && due.length === SESSIONS_PER_CALL;
  }

  /** The earliest that have ended. Whether they may be buried is for the script to see: it compares what is read here. */
  async #due(partition: PartitionKeys, deadline: Deadline): Promise<readonly DueSession[]> {
    const { server, keys } = this.#context;
    const { ends, entries } = partition;
    const [seconds = 0] = await server.query(deadline, (client) => client.time());
    const until = (Number(seconds) + 1) * 1000;
    const range = ["WITHSCORES", "LIMIT", 0, SESSIONS_PER_CALL] as const;
    const found = await server.query(deadline, (client) =>
      client.zrangebyscore(ends, "-inf", until, ...range),
    );
    if (found.length === 0) return [];
    const members = found.filter((_, n) => n % 2 === 0);
    const texts = await server.query(deadline, (client) => client.hmget(entries, ...members));
    return members.map((member, n) => {
      const { record, session } = keys.session(idOfMember(member));
      const entry = texts[n] ?? "";
      const sets = labelSets(partition, readIndexEntry(entry, entries));
      return { member, end: found[2 * n + 1] ?? "", entry, keys: [record, session, ...sets] };
    });
  }

  async #bury(partition: PartitionKeys, due: readonly DueSession[], deadline: Deadline): Promise<number> {
    const { server, keys, nonce } = this.#context;
    const { head, feed, tombstones, recent, created, ids, ends, entries } = partition;
    const replica = await server.replicationId(head, deadline);
    const sessions = due.flatMap(({ member, end, entry, keys: own }) => [member, end, entry, own.length - 2]);
    const reply = await server.runRetryable(
      BURY,
      [head, feed, tombstones, recent, created, ids, ends, entries, ...due.flatMap((one) => one.keys)],
      [replica, keys.channel, nonce(), ...sessions],
      deadline,
    );
    return this.#count(partition, reply, deadline);
  }

  async #forgetSome(partition: PartitionKeys, deadline: Deadline): Promise<boolean> {
    const { head, feed, tombstones } = partition;
    const keys = [head, feed, tombstones];
    const reply = await this.#context.server.runRetryable(FORGET, keys, [SESSIONS_PER_CALL], deadline);
    return (await this.#count(partition, reply, deadline)) === SESSIONS_PER_CALL;
  }

  async #count(partition: PartitionKeys, reply: unknown, deadline: Deadline): Promise<number> {
    const found = await requireIndex(this.#context, partition, reply, deadline);
    return found === "no-head" ? 0 : (numberOf(found[0]) ?? 0);
  }
}

function* inCalls(due: readonly DueSession[]): Generator<readonly DueSession[]> {
  let some: DueSession[] = [];
  let keys = 0;
  for (const one of due) {
    if (keys + one.keys.length > MAX_KEYS) {
      yield some;
      [some, keys] = [[], 0];
    }
    some.push(one);
    keys += one.keys.length;
  }
  if (some.length > 0) yield some;
}
