/**
 * The program that the kit starts in other processes: `node worker.js <name> <module> <argument>`. It opens the store
 * of the harness, takes orders from stdin and reports on file descriptor 3. It ends when stdin does, so that it never
 * outlives whoever started it.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { SessionStore } from "@sessions/protocol";
import { Recorder } from "./recorder.js";
import { type Order, REPORT_FD, type Report } from "./report.js";
import type { Workload, Workplace } from "./workload.js";
import { perform } from "./workloads/index.js";

const [name = "worker", module = "", argument = "null"] = process.argv.slice(2);

// Synchronous: what was acknowledged before the process is killed must have been told.
function report(one: Report): void {
  const line = Buffer.from(`${JSON.stringify(one)}\n`);
  for (let written = 0; written < line.length; ) written += writeSome(line, written);
}

function writeSome(line: Buffer, from: number): number {
  try {
    return writeSync(REPORT_FD, line, from);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0; // the pipe is full
    throw error;
  }
}

async function openStore(): Promise<SessionStore> {
  const loaded: { readonly open: (argument: unknown) => Promise<SessionStore> } = await import(module);
  return loaded.open(JSON.parse(argument));
}

async function obey(order: Order<Workload>, store: SessionStore, recorder: Recorder): Promise<void> {
  const { work, load } = order;
  const place: Workplace = { store, recorder, note: (note) => report({ type: "note", work, note }) };
  try {
    report({ type: "done", work, answer: await perform(load, place) });
  } catch (error) {
    report({
      type: "failed",
      work,
      message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    });
  }
}

const store = await openStore();
const recorder = new Recorder(name, (event) => report({ type: "event", event }));
const orders = createInterface({ input: process.stdin });
orders.on("line", (line) => {
  const order: Order<Workload> = JSON.parse(line);
  void obey(order, store, recorder);
});
orders.on("close", () => process.exit(0));
report({ type: "ready" });
