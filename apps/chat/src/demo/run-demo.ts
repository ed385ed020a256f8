import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Screen } from "../terminal/screen.js";
import { styleFor } from "../terminal/style.js";
import { Demo } from "./demo.js";
import { stopSignal } from "./stop-signal.js";

/** `npm start -- --demo`: plays the demo in a temporary folder, which it removes at its end, also when it is stopped. */
export async function runDemo(): Promise<void> {
  const { stdout } = process;
  const signal = stopSignal(stdout);
  const folder = await mkdtemp(join(tmpdir(), "sessions-demo-"));
  const sinks = { answers: stdout, remarks: stdout, errors: stdout };
  const screen = new Screen(sinks, styleFor(stdout.isTTY === true, process.env));
  try {
    await new Demo({ folder, output: stdout, screen, signal }).play();
  } catch (error) {
    // What was stopped fails as a consequence. The exit code tells the reason.
    if (!signal.aborted) throw error;
    screen.endAnswer();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
