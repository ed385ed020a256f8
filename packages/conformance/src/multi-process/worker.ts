/**
 * The program that the kit starts in other processes: `node worker.js`. It opens one store at a time, reads commands
 * from stdin and writes reports to file descriptor 3. It ends when stdin ends, so it never outlives the process that
 * started it.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { SessionStore } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import { Recorder } from "./recorder.js";
import { type Command, REPORT_FD, type Report } from "./worker-messages.js";
import type { WorkerContext, Workload } from "./workload.js";
import { resetClock } from "./workloads/clock.js";
import { perform } from "./workloads/index.js";

type OpenStore = Pick<WorkerContext, "store" | "recorder">;

let opened: OpenStore | undefined;

// Synchronous, so that everything acknowledged before a kill has been reported.
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
  await requireOpen().store.close();
  opened = undefined;
  resetClock();
  report({ type: "closed" });
}

async function work(work: number, load: Workload): Promise<void> {
  const at = requireOpen();
  // A store that was closed meanwhile may not add notes to the work of the next one.
  const note: WorkerContext["note"] = (note) => at === opened && report({ type: "note", work, note });
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

function requireOpen(): OpenStore {
  if (opened === undefined) throw new Error("this worker has no store open");
  return opened;
}

/** A rejection ends the process; the kit then reports what the process printed. */
function execute(command: Command): Promise<void> {
  if (command.type === "open") return open(command.name, command.how);
  return command.type === "work" ? work(command.work, command.load) : close();
}

const commands = createInterface({ input: process.stdin });
commands.on("line", (line) => void execute(JSON.parse(line)));
commands.on("close", () => process.exit(0));
