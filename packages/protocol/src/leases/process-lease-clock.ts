import type { LeaseClock } from "../backend/lease-time.js";
import type { Clock } from "../platform/clock.js";

// By clock and not once per process: two clocks that a test hands in need not agree.
const domains = new WeakMap<Clock, string>();

/** A lease clock for backends that offer none: other processes cannot read this one, so each is a domain of its own. */
export function processLeaseClock(clock: Clock): LeaseClock {
  const domain = domains.get(clock) ?? newDomain();
  domains.set(clock, domain);
  return { domain, now: () => clock.monotonic() };
}

function newDomain(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return `process:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
