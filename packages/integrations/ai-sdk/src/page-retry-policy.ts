import type { RetryPolicy } from "@sessions/turn-runner";
import type { Settings } from "./settings.js";

/** How long a page waits for an unavailable store before it gets an error. */
const PAGE_RETRY_MS = 2000;

/** Retries the calls of the store that a page waits for. */
export function pageRetryPolicy({ clock, newId }: Pick<Settings, "clock" | "newId">): RetryPolicy {
  return { clock, newId, deadlineMs: PAGE_RETRY_MS };
}
