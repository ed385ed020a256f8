import type { StopButton } from "./stop-button.js";

/** What a shell says of a process that died of SIGPIPE. */
const EXIT_CODE = 141;

/** Nobody reads any more, as behind `| head`: the answer is stopped and kept as far as it came, and the chat ends. */
export function listenForClosedOutput(output: NodeJS.WriteStream, button: StopButton): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exitCode = EXIT_CODE;
    button.leave();
  });
}
