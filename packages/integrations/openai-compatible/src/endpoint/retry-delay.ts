import type { Clock } from "@sessions/protocol";
import type { EndpointError } from "../endpoint-error.js";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** If the endpoint asks for more, the caller gets the error, with the time to wait. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * How long to wait before a request is sent again, after `failures` failures. As long as the endpoint asks, else twice as long as
 * the last time; plus a random part of up to a quarter, so that clients that failed together do not retry together. `undefined`: do
 * not retry.
 */
export function retryDelay(error: EndpointError, failures: number, random: () => number): number | undefined {
  const { retryAfterMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) } = error;
  if (!error.retryable || retryAfterMs > MAX_RETRY_AFTER_MS) return undefined;
  return retryAfterMs * (1 + random() / 4);
}

/** The wait that a response asks for: `retry-after` in seconds or as a date, or OpenAI's `retry-after-ms`. */
export function retryAfterOf(headers: Headers | undefined, clock: Clock): number | undefined {
  const ms = numberOf(headers?.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const header = headers?.get("retry-after");
  const seconds = numberOf(header);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function numberOf(text: string | null | undefined): number | undefined {
  return text && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
