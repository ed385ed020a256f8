import { Redis } from "ioredis";
import type { ClusterServers, RedisServer } from "redis-servers";
import type { Script } from "./scripts-in.js";

/** What is stored under a key, as the server hands it out. */
interface Stored {
  readonly dump: Buffer;
  /** When it expires: 0 for never. */
  readonly at: number;
}

export type Content = ReadonlyMap<string, Stored>;

export type Side = "from" | "to";

/** Times differ between two runs of the same script. */
const TIME = /\b1[0-9]{12}\b/g;

/** A slot, the node that has it, and another that it may be moved to. Clients look at both directly. */
export class SlotPair implements Disposable {
  readonly #slot: number;
  readonly #nodes: Readonly<Record<Side, Redis>>;
  readonly #ids: Readonly<Record<Side, string>>;

  private constructor(
    slot: number,
    nodes: Readonly<Record<Side, Redis>>,
    ids: Readonly<Record<Side, string>>,
  ) {
    this.#slot = slot;
    this.#nodes = nodes;
    this.#ids = ids;
  }

  /** The slot of a key. */
  static async of(cluster: ClusterServers, key: string): Promise<SlotPair> {
    const slot = await cluster.slotOf(key);
    const from = await cluster.ownerOf(slot);
    const to = (await cluster.primaries()).find((node) => node !== from);
    if (to === undefined) throw new Error("a cluster has several primaries");
    const clientOf = ({ port }: RedisServer): Redis => new Redis({ host: "127.0.0.1", port });
    const nodes = { from: clientOf(from), to: clientOf(to) };
    const [fromId, toId] = await Promise.all([nodes.from.cluster("MYID"), nodes.to.cluster("MYID")]);
    return new SlotPair(slot, nodes, { from: String(fromId), to: String(toId) });
  }

  /** Everything that the slot holds, while it is whole. */
  async read(): Promise<Content> {
    const { from } = this.#nodes;
    const content = new Map<string, Stored>();
    for (const key of await this.#keysAt("from")) {
      const [dump, at] = await Promise.all([from.dumpBuffer(key), from.pexpiretime(key)]);
      if (dump !== null) content.set(key, { dump, at: Math.max(at, 0) });
    }
    return content;
  }

  /** Removes everything else from the slot, and has it whole and at its place. */
  async write(content: Content): Promise<void> {
    await this.clear();
    await this.#put("from", [...content]);
  }

  async clear(): Promise<void> {
    await this.#setStable();
    for (const side of ["from", "to"] as const) {
      const keys = await this.#keysAt(side);
      const removal = this.#nodes[side].pipeline();
      await this.#importing(side, keys.length > 0);
      for (const key of keys) removal.call("ASKING").del(key);
      await removal.exec();
    }
    await this.#setStable();
  }

  /** Has the slot half moved: these keys are at `to`, all others at `from`. What was there must be what `content` says. */
  async split(content: Content, moved: ReadonlySet<string>): Promise<void> {
    await this.write(new Map([...content].filter(([key]) => !moved.has(key))));
    const { from, to } = this.#nodes;
    await to.cluster("SETSLOT", this.#slot, "IMPORTING", this.#ids.from);
    await this.#put(
      "to",
      [...content].filter(([key]) => moved.has(key)),
    );
    await from.cluster("SETSLOT", this.#slot, "MIGRATING", this.#ids.to);
  }

  /** Runs a script. A refusal is a reply, too. */
  async run(side: Side, { body, keys, args }: Script): Promise<string> {
    const call = this.#nodes[side]
      .pipeline()
      .call("ASKING")
      .eval(body, keys.length, ...keys, ...args);
    const [error, reply] = (await call.exec())?.[1] ?? [];
    return error ? error.message : JSON.stringify(reply ?? null);
  }

  /** How many changes both nodes have made so far. */
  async changes(): Promise<number> {
    const both = await Promise.all(Object.values(this.#nodes).map((node) => node.info("persistence")));
    return both.reduce((sum, text) => sum + Number(/rdb_changes_since_last_save:(\d+)/.exec(text)?.[1]), 0);
  }

  /** All that both nodes hold of the slot, in words, without times. */
  async words(): Promise<string> {
    const sides = await Promise.all((["from", "to"] as const).map((side) => this.#wordsAt(side)));
    return sides.flat().sort().join("\n").replaceAll(TIME, "<time>");
  }

  [Symbol.dispose](): void {
    for (const node of Object.values(this.#nodes)) node.disconnect();
  }

  async #wordsAt(side: Side): Promise<readonly string[]> {
    const words = (await this.#keysAt(side)).map(async (key) => {
      const type = await this.#asked(side, "TYPE", key);
      const ends = Number(await this.#asked(side, "PTTL", key)) >= 0;
      return `${key} ${type}${ends ? " ends" : ""}: ${await this.#valueOf(side, String(type), key)}`;
    });
    return Promise.all(words);
  }

  async #valueOf(side: Side, type: string, key: string): Promise<string> {
    if (type === "hash") {
      const flat = await this.#list(side, "HGETALL", key);
      return pairs(flat).sort().join(" | ");
    }
    if (type === "zset") return (await this.#list(side, "ZRANGE", key, "0", "-1", "WITHSCORES")).join(" ");
    return String(await this.#asked(side, "GET", key));
  }

  async #list(side: Side, ...command: readonly [string, ...string[]]): Promise<readonly string[]> {
    const reply = await this.#asked(side, ...command);
    return Array.isArray(reply) ? reply.map(String) : [];
  }

  /** A command on a key that may be on its way. */
  async #asked(side: Side, name: string, ...args: readonly string[]): Promise<unknown> {
    const answers = await this.#nodes[side]
      .pipeline()
      .call("ASKING")
      .call(name, ...args)
      .exec();
    const [error, reply] = answers?.[1] ?? [];
    if (error) throw error;
    return reply;
  }

  async #keysAt(side: Side): Promise<readonly string[]> {
    const keys = await this.#nodes[side].cluster("GETKEYSINSLOT", this.#slot, 10_000);
    return Array.isArray(keys) ? keys.map(String) : [];
  }

  async #put(side: Side, content: readonly (readonly [string, Stored])[]): Promise<void> {
    const pipeline = this.#nodes[side].pipeline();
    for (const [key, { dump, at }] of content)
      pipeline.call("ASKING").restore(key, at, dump, "REPLACE", "ABSTTL");
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }

  async #setStable(): Promise<void> {
    for (const node of Object.values(this.#nodes)) await node.cluster("SETSLOT", this.#slot, "STABLE");
  }

  async #importing(side: Side, needed: boolean): Promise<void> {
    if (side === "to" && needed)
      await this.#nodes.to.cluster("SETSLOT", this.#slot, "IMPORTING", this.#ids.from);
  }
}

function pairs(flat: readonly string[]): string[] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}=${flat[index + 1]}`] : []));
}
