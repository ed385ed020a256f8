import type { RedisServer } from "../redis-server.js";
import type { Fault, FaultPlan } from "./fault.js";
import { FaultProxy } from "./fault-proxy.js";

/** Where a client finds a node, by the address that the servers give for it. */
export type NatMap = Readonly<Record<string, { readonly host: string; readonly port: number }>>;

/**
 * A proxy before each node of a Cluster or of a primary with replicas. The servers talk to each other directly. Clients
 * are given {@link natMap} (an option of ioredis), with which each address that a server names leads to its proxy.
 */
export class NodeProxies implements AsyncDisposable {
  readonly #proxies: ReadonlyMap<RedisServer, FaultProxy>;

  private constructor(proxies: ReadonlyMap<RedisServer, FaultProxy>) {
    this.#proxies = proxies;
  }

  static async start(nodes: readonly RedisServer[]): Promise<NodeProxies> {
    const started = await Promise.all(
      nodes.map(async (node) => [node, await FaultProxy.start(node.port)] as const),
    );
    return new NodeProxies(new Map(started));
  }

  get natMap(): NatMap {
    const entries = [...this.#proxies].map(([node, { port }]) => {
      return [`127.0.0.1:${node.port}`, { host: "127.0.0.1", port }] as const;
    });
    return Object.fromEntries(entries);
  }

  get ports(): readonly number[] {
    return [...this.#proxies.values()].map(({ port }) => port);
  }

  /** The proxy before a node. */
  before(node: RedisServer): FaultProxy {
    const proxy = this.#proxies.get(node);
    if (proxy === undefined) throw new Error(`there is no proxy before port ${node.port}`);
    return proxy;
  }

  /** Plans the same fault before every node. Each counts what it meets by itself. */
  plan(plan: FaultPlan): readonly Fault[] {
    return [...this.#proxies.values()].map((proxy) => proxy.plan(plan));
  }

  /** Lifts every fault. */
  calm(): void {
    for (const proxy of this.#proxies.values()) proxy.calm();
  }

  /** Cuts all connections to all nodes at once. */
  cutAll(): void {
    for (const proxy of this.#proxies.values()) proxy.cutAll();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Starts a proxy before each of these nodes. */
export function startNodeProxies(nodes: readonly RedisServer[]): Promise<NodeProxies> {
  return NodeProxies.start(nodes);
}
