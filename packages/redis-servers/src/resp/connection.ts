import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { FrameSplitter } from "./frame-splitter.js";
import { decodeReply, encodeCommand, RefusedCommand, type Reply } from "./reply.js";

/** Where to connect, and how. */
export interface Address {
  readonly port: number;
  /** The certificate to trust, where the connection is encrypted. */
  readonly ca?: string;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * A plain connection for what the tests themselves ask of a server. It is not the driver that the stores use, so that a
 * fault of the driver cannot hide itself.
 */
export class Connection implements Disposable {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #ended: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const splitter = new FrameSplitter();
    socket.on("data", (chunk) => {
      for (const frame of splitter.push(chunk)) this.#settle(decodeReply(frame));
    });
    socket.on("error", (error) => this.#end(error));
    socket.on("close", () => this.#end(new Error("the server closed the connection")));
  }

  static async open({ port, ca }: Address): Promise<Connection> {
    const host = "127.0.0.1";
    const socket = ca === undefined ? connect({ port, host }) : connectTls({ port, host, ca });
    await once(socket, ca === undefined ? "connect" : "secureConnect");
    return new Connection(socket);
  }

  get open(): boolean {
    return this.#ended === undefined;
  }

  /** Sends one command. An error of the server is thrown as `RefusedCommand`. */
  async call(...args: readonly (string | number)[]): Promise<Reply> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#socket.write(encodeCommand(args));
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  [Symbol.dispose](): void {
    this.#end(new Error("the connection was closed"));
    this.#socket.destroy();
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.shift();
    if (reply instanceof RefusedCommand) waiting?.reject(reply);
    else waiting?.resolve(reply);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#ended);
  }
}
