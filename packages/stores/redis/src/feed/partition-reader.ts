import { Damage } from "@sessions/protocol/backend";
import { Deadline } from "../engine/deadline.js";
import { numberOf, textOf } from "../engine/reply.js";
import { FEED } from "../engine/scripts.js";
import { wrongTypeIsDamage } from "../engine/wrong-type.js";
import { FIELDS } from "../keys/fields.js";
import type { PartitionKeys } from "../keys/keys.js";
import { idOfMember } from "../keys/member.js";
import { requireIndex } from "../listing/index-reply.js";
import type { RedisContext } from "../redis-context.js";
import type { FeedPlace, SessionChange } from "./watcher.js";

const CHANGES_PER_CALL = 500;

/** How far a partition was read. */
export interface ReadPosition {
  /** The id of the store that the partition belongs to. */
  readonly store: string;
  readonly position: number;
}

/** What has changed in a partition behind a position. */
export interface PartitionChanges extends ReadPosition {
  /** The greatest position of a tombstone that was forgotten. */
  readonly removed: number;
  readonly changes: readonly (readonly [SessionChange, FeedPlace])[];
}

/** A part of them, the sessions by their ids. */
interface Read extends ReadPosition {
  readonly removed: number;
  /** Whether sessions have ended that no watcher has heard of yet. */
  readonly isDue: boolean;
  readonly changed: readonly { readonly id: string; readonly position: number }[];
}

/** Reads the feed of a partition. */
export class PartitionReader {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** How far a partition is. */
  position(partition: PartitionKeys): Promise<ReadPosition> {
    return this.#call(partition, undefined, this.#deadline());
  }

  /** What has changed behind a position, sessions that have ended included. */
  async changes(partition: PartitionKeys, since: number): Promise<PartitionChanges> {
    const deadline = this.#deadline();
    let read = await this.#call(partition, since, deadline);
    if (read.isDue) {
      await this.#context.burial.run(partition, deadline);
      read = await this.#call(partition, since, deadline);
    }
    const changes = await this.#resolved(partition, read);
    while (read.changed.length === CHANGES_PER_CALL) {
      read = await this.#call(partition, read.changed.at(-1)?.position, this.#deadline());
      changes.push(...(await this.#resolved(partition, read)));
    }
    return { ...read, changes };
  }

  async #call(partition: PartitionKeys, since: number | undefined, deadline: Deadline): Promise<Read> {
    const { head, feed, ends, tombstones } = partition;
    const args = [since ?? "", CHANGES_PER_CALL];
    const reply = await this.#context.server.runRetryable(
      FEED,
      [head, feed, ends, tombstones],
      args,
      deadline,
    );
    const found = await requireIndex(this.#context, partition, reply, deadline);
    if (found === "no-head") return this.#call(partition, since, deadline); // the server was emptied, and the head is there again
    const [store, position, removed, due, ...entries] = found;
    return {
      store: textOf(store) ?? "",
      position: numberOf(position) ?? 0,
      removed: numberOf(removed) ?? 0,
      isDue: due === 1,
      changed: Array.from({ length: entries.length / 2 }, (_, n) => ({
        id: idOfMember(textOf(entries[2 * n]) ?? ""),
        position: numberOf(entries[2 * n + 1]) ?? 0,
      })),
    };
  }

  async #resolved(
    { number }: PartitionKeys,
    { store, changed }: Read,
  ): Promise<(readonly [SessionChange, FeedPlace])[]> {
    const deadline = this.#deadline();
    const found = await Promise.all(changed.map(({ id }) => this.#recorded(id, deadline)));
    return changed.flatMap(({ position }, n) => {
      const change = found[n];
      return change === undefined ? [] : [[change, { store, partition: number, position }] as const];
    });
  }

  /** What the record of a session says. One that cannot be read does not keep watchers from the others. */
  async #recorded(id: string, deadline: Deadline): Promise<SessionChange | undefined> {
    const { server, keys, warnings } = this.#context;
    const { record } = keys.session(id);
    try {
      const fields = await server
        .query(deadline, (client) => client.hmget(record, FIELDS.REVISION, FIELDS.UPDATED, FIELDS.DELETED))
        .catch(wrongTypeIsDamage(record));
      const [revision, updated, deleted] = fields.map(numberOf);
      if (revision === undefined) throw new Damage(record, "is gone, and the session is in the feed");
      return { sessionId: id, revision, at: deleted ?? updated ?? 0, isDeleted: deleted !== undefined };
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      warnings.set(`damage of ${id}`, `Session "${id}" cannot be read and is not watched: ${error.message}`);
      return undefined;
    }
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }
}
