import { SCRIPT } from "test-tools";
import type { AgentEvent, Runner } from "../src/index.js";

/** Yields `script`, and calls `act` before the event of an index, or after the last event. */
export function scripted(
  script: readonly AgentEvent[] = SCRIPT,
  before: { readonly index: number; readonly act: () => Promise<void> } = {
    index: -1,
    act: async () => undefined,
  },
): Runner {
  return async function* () {
    for (const [index, event] of script.entries()) {
      if (index === before.index) await before.act();
      yield event;
    }
    if (before.index === script.length) await before.act();
  };
}
