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

process.on("disconnect", () => process.exit(1)); // the parent is gone
const trials = await Trials.begin(task, say);
await trials.run();
// The parent kills this process when it has the last message. An exit would run Node's shutdown, which can hang.
