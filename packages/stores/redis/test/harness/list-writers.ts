import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RedisLocation, RedisStoreOptions } from "../../src/options.js";

const PROGRAM = fileURLToPath(new URL("list-writer.mjs", import.meta.url));

/** A session that nobody writes to any more. */
export interface Sealed {
  readonly id: string;
  readonly forked: boolean;
  readonly writer: string;
}

/** Processes that make sessions, and what they have been told is kept. */
export class ListWriters implements Disposable {
  readonly sealed = new Map<string, Sealed>();
  readonly gone = new Set<string>();
  readonly #processes: readonly ChildProcess[];
  readonly #ended: Promise<readonly unknown[]>;

  private constructor(processes: readonly ChildProcess[]) {
    this.#processes = processes;
    this.#ended = Promise.all(processes.map((one) => once(one, "exit")));
    for (const one of processes) one.on("message", (told) => this.#hear(told));
  }

  static async start(
    count: number,
    location: RedisLocation,
    options: RedisStoreOptions,
  ): Promise<ListWriters> {
    const processes = Array.from({ length: count }, (_, index) =>
      fork(PROGRAM, [`w${index}`, JSON.stringify(location), JSON.stringify(options)]),
    );
    const writers = new ListWriters(processes);
    await Promise.all(processes.map((one) => once(one, "message")));
    return writers;
  }

  /** After what is under way. Throws if one has failed. */
  async stop(): Promise<void> {
    for (const one of this.#processes) one.send("stop");
    await this.#ended;
    for (const { exitCode } of this.#processes)
      if (exitCode !== 0) throw new Error(`a writer ended with ${exitCode}`);
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one.kill("SIGKILL");
  }

  #hear(told: unknown): void {
    if (!isTold(told)) return;
    if (told.kind === "sealed") this.sealed.set(told.id, told);
    else if (told.kind === "gone") this.gone.add(told.id);
  }
}

function isTold(told: unknown): told is Sealed & { readonly kind: string } {
  return typeof told === "object" && told !== null && "id" in told && "kind" in told;
}
