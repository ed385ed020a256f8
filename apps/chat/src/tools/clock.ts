import type { Tool } from "./tool.js";

/** A tool that returns the time of this machine. */
export function clock(now: () => Date): Tool {
  return {
    name: "clock",
    description: "Tells the date and the time, here and in UTC.",
    parameters: { type: "object", properties: {} },
    run() {
      const at = now();
      return {
        utc: at.toISOString(),
        here: hereOf(at),
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      };
    },
  };
}

const hereOf = (at: Date): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short" }).format(at);
