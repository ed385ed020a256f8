import { listenForClosedOutput } from "../terminal/listen-for-closed-output.js";
import { listenForSignals } from "../terminal/listen-for-signals.js";
import { StopButton } from "../terminal/stop-button.js";

/** Aborts when this process gets a signal, or when the reader of its output is gone. Sets the exit code that says so. */
export function stopSignal(output: NodeJS.WriteStream): AbortSignal {
  const controller = new AbortController();
  const leave = () => controller.abort();
  const button = new StopButton({ leave, exit: leave });
  listenForSignals(button, false);
  listenForClosedOutput(output, button);
  return controller.signal;
}
