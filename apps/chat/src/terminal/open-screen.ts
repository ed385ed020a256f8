import { Screen } from "./screen.js";
import { styleFor } from "./style.js";

/** The screen of this process: for a person all on standard output, else only answers there. */
export function openScreen(interactive: boolean): Screen {
  const { stdout, stderr, env } = process;
  const sinks = { answers: stdout, remarks: interactive ? stdout : stderr, errors: stderr };
  return new Screen(sinks, styleFor(interactive, env));
}
