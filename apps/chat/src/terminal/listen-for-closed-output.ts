import type { StopButton } from "./stop-button.js";

/** The exit code of a process that was ended by SIGPIPE. */
const EXIT_CODE = 141;

/** If the reader of the output is gone, as after `| head`, stops the answer, keeps it, and ends the chat. */
export function listenForClosedOutput(output: NodeJS.WriteStream, button: StopButton): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exitCode = EXIT_CODE;
    button.leave();
  });
}
