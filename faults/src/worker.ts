/** The process whose system calls fail: tries every combination, or a sample of them, one after the other. */
import { Trials } from "./trials.js";
import type { WorkerMessage, WorkerTask } from "./worker-task.js";

const task: WorkerTask = JSON.parse(process.argv[2] ?? "{}");

/** Waits until it is sent: what is still in the pipe when a process exits is lost. */
function say(message: WorkerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

const orphaned = (): never => process.exit(1);
process.on("disconnect", orphaned); // whoever has started this is gone
const trials = await Trials.begin(task, say);
await trials.run();
process.off("disconnect", orphaned);
process.disconnect();
