import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Fault, type FaultPlan } from "./fault.js";
import { ProxiedConnection } from "./proxied-connection.js";

/**
 * Stands before a server and breaks connections in ways that are planned: by command, by direction, by count. The same
 * traffic meets the same faults. The first fault that strikes decides.
 */
export class FaultProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #faults = new Set<Fault>();
  readonly #targetPort: number;
  #accepted = 0;
  #refusing = false;

  private constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    proxy.#server.listen({ port: 0, host: "127.0.0.1" });
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy is closed");
    return address.port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** How many connections it has accepted so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Plans a fault. */
  plan(plan: FaultPlan): Fault {
    const fault = new Fault(plan);
    this.#faults.add(fault);
    return fault;
  }

  /** Lifts every fault, and takes connections again. */
  calm(): void {
    for (const fault of this.#faults) fault.lift();
    this.#faults.clear();
    this.#refusing = false;
  }

  /** Cuts all connections at once. */
  cutAll(): void {
    for (const connection of this.#connections) connection.cut();
  }

  /** From now on every new connection is cut as it comes. */
  refuse(): void {
    this.#refusing = true;
  }

  async stop(): Promise<void> {
    this.calm();
    this.cutAll();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #accept(client: Socket): void {
    this.#accepted++;
    if (this.#refusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: this.#targetPort, host: "127.0.0.1" });
    const connection = new ProxiedConnection(this.#accepted, client, server, (on, passing) =>
      // Each is asked about each one, so that none of them counts differently because of another.
      [...this.#faults].filter((fault) => fault.strike(on, passing)).at(0),
    );
    this.#connections.add(connection);
    client.once("close", () => this.#connections.delete(connection));
  }
}

/** Starts a proxy before the server that listens on `port`. */
export function startFaultProxy(port: number): Promise<FaultProxy> {
  return FaultProxy.start(port);
}
