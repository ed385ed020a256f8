/**
 * The program that the kit starts in other processes: `node worker.js`. It opens one store of a harness after the
 * other, takes orders from stdin and reports on file descriptor 3. It ends when stdin does, so that it never outlives
 * whoever started it.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { SessionStore } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import { Recorder } from "./recorder.js";
import { type Order, REPORT_FD, type Report } from "./report.js";
import type { Workload, Workplace } from "./workload.js";
import { resetClock } from "./workloads/clock.js";
import { perform } from "./workloads/index.js";

type Opened = Pick<Workplace, "store" | "recorder">;

let opened: Opened | undefined;

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

async function open(name: string, { module, argument }: OtherProcess): Promise<void> {
  const loaded: { readonly open: (argument: unknown) => Promise<SessionStore> } = await import(module);
  const store = await loaded.open(argument);
  opened = { store, recorder: new Recorder(name, (event) => report({ type: "event", event })) };
  report({ type: "opened" });
}

async function close(): Promise<void> {
  await opening().store.close();
  opened = undefined;
  resetClock();
  report({ type: "closed" });
}

async function work(work: number, load: Workload): Promise<void> {
  const at = opening();
  // What a store that was closed still has to say is nobody's business.
  const note: Workplace["note"] = (note) => at === opened && report({ type: "note", work, note });
  try {
    report({ type: "done", work, answer: await perform(load, { ...at, note }) });
  } catch (error) {
    report({
      type: "failed",
      work,
      message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    });
  }
}

function opening(): Opened {
  if (opened === undefined) throw new Error("this worker has no store open");
  return opened;
}

/** What fails here ends the process, which is told with what it printed. */
function obey(order: Order): Promise<void> {
  if (order.order === "open") return open(order.name, order.how);
  return order.order === "work" ? work(order.work, order.load) : close();
}

const orders = createInterface({ input: process.stdin });
orders.on("line", (line) => void obey(JSON.parse(line)));
orders.on("close", () => process.exit(0));
