import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { FrameSplitter } from "../resp/frame-splitter.js";
import { decodeReply } from "../resp/reply.js";
import type { Act, Fault, FaultPlan, Passing } from "./fault.js";

const SUBSCRIBES = new Set(["subscribe", "psubscribe", "ssubscribe"]);

/** What the proxy decides about one command or reply. */
export type Judge = (on: FaultPlan["on"], passing: Passing) => Fault | undefined;

/** A client's connection and the one to the server that belongs to it. */
export class ProxiedConnection {
  readonly #number: number;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #judge: Judge;
  /** Commands whose replies have not come yet, in their order. */
  readonly #unanswered: (readonly string[])[] = [];
  /** After it has subscribed, replies can no longer be told from messages. */
  #subscribed = false;

  constructor(number: number, client: Socket, server: Socket, judge: Judge) {
    this.#number = number;
    this.#client = client;
    this.#server = server;
    this.#judge = judge;
    this.#pass("request", client, server, (frame) => this.#heard(frame));
    this.#pass("reply", server, client, () => this.#answered());
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // A broken end breaks the other: that is what a proxy is for, and both ends tell their owners.
      socket.on("error", () => this.cut());
      socket.on("close", () => this.cut());
    }
  }

  /** Cuts both ends at once (a reset, not an orderly end). */
  cut(): void {
    reset(this.#client);
    reset(this.#server);
  }

  /** Passes whole values on in their order. */
  #pass(on: FaultPlan["on"], from: Socket, to: Socket, read: (frame: Buffer) => readonly string[]): void {
    const splitter = new FrameSplitter();
    let last: Promise<void> = Promise.resolve();
    from.on("data", (chunk) => {
      for (const frame of splitter.push(chunk)) {
        const fault = this.#judge(on, { command: read(frame), connection: this.#number });
        last = last.then(() => this.#forward(frame, to, fault));
      }
    });
  }

  async #forward(frame: Buffer, to: Socket, fault: Fault | undefined): Promise<void> {
    const act: Act | undefined = fault?.plan.act;
    if (act === "cut" || act === "tear") return this.#break(frame, to, act);
    if (act === "stall") await fault?.lifted;
    else if (act !== undefined) await setTimeout(act.delayMs);
    if (to.writable) to.write(frame);
  }

  async #break(frame: Buffer, to: Socket, act: "cut" | "tear"): Promise<void> {
    if (act === "cut" || !to.writable) return this.cut();
    // The half must have left before the cut, and without a reset, which would take it back.
    const half = frame.subarray(0, Math.floor(frame.length / 2));
    await new Promise<void>((resolve) => to.write(half, () => resolve()));
    to.destroy();
    this.cut();
  }

  #heard(frame: Buffer): readonly string[] {
    const words = decodeReply(frame);
    const command = Array.isArray(words) ? words.map(String) : [String(words)];
    if (SUBSCRIBES.has(command[0]?.toLowerCase() ?? "")) this.#subscribed = true;
    else this.#unanswered.push(command);
    return command;
  }

  #answered(): readonly string[] {
    return this.#subscribed ? [] : (this.#unanswered.shift() ?? []);
  }
}

/** A socket that is ending already cannot be reset: Node would keep it open for ever, and its loop busy. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
