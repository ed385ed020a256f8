/** The process whose system calls fail. Runs every combination or a sample, one after the other. */
import { Trials } from "./trials.js";
import type { WorkerMessage, WorkerTask } from "./worker-task.js";

const task: WorkerTask = JSON.parse(process.argv[2] ?? "{}");

/** Resolves when the message is sent, because messages that are still in the pipe are lost when the process ends. */
function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

process.on("disconnect", () => process.exit(1)); // the parent process has ended
const trials = await Trials.begin(task, send);
await trials.run();
// The parent kills this process when it has the last message. An exit would run Node's shutdown, which can hang.
