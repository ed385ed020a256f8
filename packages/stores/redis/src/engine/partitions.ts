import { randomUUID } from "node:crypto";
import { SessionError } from "@sessions/protocol/backend";
import { newerFormat, olderFormat, refuseNewer } from "../error-mapping.js";
import { FIELDS } from "../keys/fields.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import { Keys, type PartitionKeys } from "../keys/keys.js";
import type { Warnings } from "../upkeep/warnings.js";
import type { Deadline } from "./deadline.js";
import { textsOf } from "./reply.js";
import { CREATE } from "./scripts.js";
import type { Server } from "./server.js";

export const DEFAULT_PARTITIONS = 64;

interface PartitionsContext {
  readonly server: Server;
  readonly location: string;
  readonly warnings: Warnings;
}

/** The partitions of a store: created with it, and never again. */
export class Partitions {
  readonly #context: PartitionsContext;
  readonly keys: Keys;
  #restoring: Promise<void> | undefined;

  constructor(context: PartitionsContext, keys: Keys) {
    this.#context = context;
    this.keys = keys;
  }

  /** Finds the partitions of a store, or creates it. `count`: how many it must have, if the caller wants a certain number. */
  static async open(
    context: PartitionsContext,
    prefix: string,
    count: number | undefined,
    deadline: Deadline,
  ): Promise<Partitions> {
    const keys = new Keys(prefix, count ?? DEFAULT_PARTITIONS);
    const stored = await storedCount(context, keys, deadline);
    if (stored === undefined) {
      const partitions = new Partitions(context, keys);
      await partitions.#create(deadline);
      return partitions;
    }
    if (count !== undefined && count !== stored) throw otherCount(count, stored);
    return new Partitions(context, stored === keys.partitions.length ? keys : new Keys(prefix, stored));
  }

  /** The partitions of a store that may be damaged. Nothing is created, and nothing is required to be there. */
  static async inspect(
    context: PartitionsContext,
    prefix: string,
    count: number | undefined,
    deadline: Deadline,
  ): Promise<Partitions> {
    const keys = new Keys(prefix, count ?? DEFAULT_PARTITIONS);
    const stored =
      (await storedCount(context, keys, deadline)) ?? (await countInHeads(context, keys, deadline)) ?? count;
    return new Partitions(context, new Keys(prefix, stored ?? DEFAULT_PARTITIONS));
  }

  /**
   * To be called where a head is missing. Throws DATA_LOST if others are there. If nothing is there the server was emptied, and the
   * store is created anew: what had been acknowledged is still asked for.
   */
  restore(deadline: Deadline): Promise<void> {
    this.#restoring ??= this.#restore(deadline).finally(() => {
      this.#restoring = undefined;
    });
    return this.#restoring;
  }

  async #restore(deadline: Deadline): Promise<void> {
    const missing = await this.missingHeads(deadline);
    if (missing.length === 0) return;
    const isEmptied =
      missing.length === this.keys.partitions.length &&
      (await storedCount(this.#context, this.keys, deadline)) === undefined;
    if (!isEmptied) throw lostHeads(this.#context.location, missing);
    this.#context.warnings.set(
      "emptied",
      `${this.#context.location} has lost everything that this store had written. It goes on with an empty store. See describe() for what the server's settings promise.`,
    );
    await this.#create(deadline);
  }

  /** The partitions whose heads are not there. */
  async missingHeads(deadline: Deadline): Promise<readonly PartitionKeys[]> {
    const { server } = this.#context;
    const { partitions } = this.keys;
    const found = await Promise.all(
      partitions.map(({ head }) => server.query(deadline, (client) => client.exists(head))),
    );
    return partitions.filter((_, index) => found[index] === 0);
  }

  async #create(deadline: Deadline): Promise<void> {
    const { server } = this.#context;
    const { keys } = this;
    const { partitions } = keys;
    await this.#refuseUsed(deadline);
    const [first, ...others] = partitions;
    if (first === undefined) return;
    // Of several processes that create the store at once, the first one's id counts.
    const store = await this.#createHead(first, randomUUID(), deadline);
    await Promise.all(others.map((partition) => this.#createHead(partition, store, deadline)));
    const fields = { format: FORMAT_VERSION, partitions: partitions.length, store };
    await server.query(deadline, (client) => client.hset(keys.format, fields));
  }

  /** The id of the store that the head belongs to. */
  async #createHead({ head, name }: PartitionKeys, store: string, deadline: Deadline): Promise<string> {
    const { server } = this.#context;
    const count = this.keys.partitions.length;
    const replica = await server.replicationId(name, deadline);
    const reply = await server.runRetryable(CREATE, [head], [count, store, replica], deadline);
    const [format, partitions, found = store] = textsOf(reply);
    refuseNewer(format);
    if (Number(partitions) !== count) throw otherCount(count, Number(partitions));
    return found;
  }

  /** Where the format is missing, heads that were used belong to a store that has lost it. */
  async #refuseUsed(deadline: Deadline): Promise<void> {
    const { server, location } = this.#context;
    const { partitions } = this.keys;
    const positions = await Promise.all(
      partitions.map(async ({ head }) => {
        const position = await server.query(deadline, (client) => client.hget(head, FIELDS.POSITION));
        return Number(position ?? 0);
      }),
    );
    if (positions.some((position) => position > 0)) throw lostFormat(location, this.keys.format);
  }
}

/** How many partitions the store has; `undefined` if there is none. Throws if it has another format. */
async function storedCount(
  { server, location }: PartitionsContext,
  keys: Keys,
  deadline: Deadline,
): Promise<number | undefined> {
  const names = [FIELDS.FORMAT, FIELDS.PARTITIONS] as const;
  const [format, partitions] = await server.query(deadline, (client) => client.hmget(keys.format, ...names));
  if (format === null || format === undefined) {
    const unreleased = await server.query(deadline, (client) =>
      client.exists(`${keys.prefix}:{index-0}:format`),
    );
    if (unreleased > 0) throw olderFormat(1, location);
    return undefined;
  }
  if (Number(format) > FORMAT_VERSION) throw newerFormat(Number(format));
  if (Number(format) < FORMAT_VERSION) throw olderFormat(Number(format), location);
  return Number(partitions);
}

/** How many partitions the heads say that there are. */
async function countInHeads(
  { server }: PartitionsContext,
  { partitions }: Keys,
  deadline: Deadline,
): Promise<number | undefined> {
  for (const { head } of partitions) {
    const count = await server.query(deadline, (client) => client.hget(head, FIELDS.PARTITIONS));
    if (count !== null) return Number(count);
  }
  return undefined;
}

function otherCount(asked: number, stored: number): SessionError {
  const message = `The store has ${stored} partitions, not ${asked}: their number is fixed when a store is created. Leave options.partitions out, or give ${stored}.`;
  return SessionError.of("INVALID_ARGUMENT", message, { path: "options.partitions" });
}

function lostHeads(location: string, missing: readonly PartitionKeys[]): SessionError {
  const names = missing.map(({ head }) => head).join(", ");
  const message = `${location} has lost the head of ${missing.length} partitions (${names}): they were evicted or deleted. Lists and the feed cannot be trusted. Run \`doctor --fix\`, which rebuilds them from the sessions.`;
  return SessionError.of("DATA_LOST", message, {});
}

function lostFormat(location: string, format: string): SessionError {
  const message = `${location} has partitions of a store, and has lost their format (${format}): it was evicted or deleted. Run \`doctor --fix\`, which writes it anew.`;
  return SessionError.of("DATA_LOST", message, {});
}
