import { Screen } from "./screen.js";
import { styleFor } from "./style.js";

/** The screen of this process. At a terminal everything goes to standard output, else only answers. */
export function openScreen(interactive: boolean): Screen {
  const { stdout, stderr, env } = process;
  const sinks = { answers: stdout, remarks: interactive ? stdout : stderr, errors: stderr };
  return new Screen(sinks, styleFor(interactive, env));
}
