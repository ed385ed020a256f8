import { connect } from "node:net";
import { SessionError } from "@sessions/protocol";
import { readLines, writeLine } from "./lines.mjs";

const CAPABILITIES = {
  groupCommit: "session",
  durable: { supported: false, reason: "Sessions live in the serving process and end with it." },
  multiProcess: { supported: true },
  search: { supported: false, reason: "There is no index; read the messages and look." },
};

const CACHED_MS = 40;

/** A backend whose data is in another process, reached over a socket. */
export class SocketBackend {
  capabilities = CAPABILITIES;
  #socket;
  #fault;
  #calls = new Map();
  #count = 0;
  #cache = new Map();

  constructor(socket, fault) {
    this.#socket = socket;
    this.#fault = fault;
    readLines(socket, (line) => this.#take(line));
    socket.on("close", () => {
      const error = SessionError.of(
        "STORE_UNAVAILABLE",
        "The serving process is gone. Open the store again.",
        {},
      );
      for (const { reject } of this.#calls.values()) reject(error);
    });
  }

  async commit(requests) {
    const outcomes = await this.#call("commit", [requests]);
    return outcomes.map((one) =>
      one.status === "rejected" ? { status: "rejected", error: decodeError(one.error) } : one,
    );
  }

  async read(sessionId, select) {
    return (await this.#cached("read", sessionId, select)) ?? undefined;
  }

  async document(sessionId) {
    return (await this.#cached("document", sessionId)) ?? undefined;
  }

  list(query) {
    return this.#call("list", [query]);
  }

  async *watch(target, signal) {
    const changes = [];
    let wake = () => undefined;
    const take = (next) => {
      changes.push(next);
      wake();
    };
    const id = this.#send("watch", [target], { change: take, reject: take });
    signal.addEventListener("abort", () => wake(), { once: true });
    while (!signal.aborted) {
      const next = changes.shift();
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else await new Promise((resolve) => (wake = resolve));
    }
    this.#calls.delete(id);
  }

  async verify(sessionId) {
    return (await this.#call("verify", [sessionId])) ?? undefined;
  }

  async describe() {
    return {
      store: "socket",
      location: "a serving process",
      format: { version: 1, supported: 1 },
      durability: { survives: "process", detail: "Everything is lost when the serving process ends." },
      capabilities: CAPABILITIES,
      healthy: true,
      warnings: [],
    };
  }

  async close() {
    await new Promise((resolve) => this.#socket.end(resolve));
    this.#socket.destroy();
  }

  // The fault "reads from a cache": a read is repeated only after CACHED_MS, though others may write meanwhile.
  async #cached(method, ...args) {
    if (this.#fault !== "reads from a cache") return this.#call(method, args);
    const key = JSON.stringify([method, args]);
    const cached = this.#cache.get(key);
    if (cached !== undefined && performance.now() - cached.at < CACHED_MS) return cached.result;
    const result = await this.#call(method, args);
    this.#cache.set(key, { result, at: performance.now() });
    return result;
  }

  #call(method, args) {
    return new Promise((resolve, reject) => this.#send(method, args, { resolve, reject }));
  }

  #send(method, args, call) {
    const id = ++this.#count;
    this.#calls.set(id, call);
    writeLine(this.#socket, { id, method, args });
    return id;
  }

  #take({ id, result, error, change }) {
    const call = this.#calls.get(id);
    if (change !== undefined) return call?.change(change);
    this.#calls.delete(id);
    return error === undefined ? call?.resolve(result) : call?.reject(decodeError(error));
  }
}

function decodeError({ code, message, fields }) {
  return SessionError.of(code, message, fields);
}

/** Connects to a serving process. */
export async function connectBackend({ path, fault }) {
  const socket = connect(path);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return new SocketBackend(socket, fault);
}
