import type { LeaseClock } from "../backend/lease-time.js";
import type { Clock } from "../platform/clock.js";

// One domain for each clock, not one for the process: two clocks that a test passes in may differ.
const domains = new WeakMap<Clock, string>();

/** A lease clock for backends that have none. Other processes cannot read it, so each process is its own time domain. */
export function processLeaseClock(clock: Clock): LeaseClock {
  const domain = domains.get(clock) ?? newDomain();
  domains.set(clock, domain);
  return { domain, now: () => clock.monotonic() };
}

function newDomain(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return `process:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
