import type { Clock } from "@sessions/protocol";
import type { EndpointError } from "./endpoint-error.js";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** An endpoint that asks for more is not waited for: the caller is told how long it takes. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * How long to wait before a request is sent again, after it failed for the `failures`th time. As long as the endpoint
 * asks, otherwise twice as long as the last time; up to a quarter more, so that those who failed together do not come
 * back together. `undefined`: do not send it again.
 */
export function retryDelay(error: EndpointError, failures: number, random: () => number): number | undefined {
  const { retryAfterMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) } = error;
  if (!error.retryable || retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  return retryAfterMs * (1 + random() / 4);
}

/** How long a response asks to wait: `retry-after` in seconds or as a date, or OpenAI's `retry-after-ms`. */
export function retryAfterOf(headers: Headers | undefined, clock: Clock): number | undefined {
  const ms = numberOf(headers?.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const told = headers?.get("retry-after");
  const seconds = numberOf(told);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(told ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function numberOf(text: string | null | undefined): number | undefined {
  return text && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
