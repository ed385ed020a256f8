import { type Complete, Lines } from "./lines.js";
import { StopButton } from "./stop-button.js";

const SECOND_STOP_EXIT_CODE = 130;

/** Opens the input of this process: lines and Ctrl-C. */
export function openControls(
  interactive: boolean,
  complete: Complete,
): { readonly lines: Lines; readonly button: StopButton } {
  const { stdin, stdout } = process;
  const exit = () => process.exit(SECOND_STOP_EXIT_CODE);
  const button = new StopButton({ leave: () => lines.close(), exit });
  const onInterrupt = () => button.press();
  const lines = new Lines({
    input: stdin,
    complete,
    onInterrupt,
    ...(interactive ? { terminal: stdout } : {}),
  });
  return { lines, button };
}
