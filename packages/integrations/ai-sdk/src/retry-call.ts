import type { MutationOptions } from "@sessions/protocol";
import { retry } from "@sessions/turn-runner";
import type { Settings } from "./settings.js";

/** How long a page waits for an unavailable store before it gets an error. */
const RETRY_MS = 2000;

/** Retries a call of the store for 2 s. A mutation must pass the options on: they identify its commit. */
export function retryCall<Result>(
  { clock, newId }: Pick<Settings, "clock" | "newId">,
  call: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  return retry({ clock, newId, deadlineMs: RETRY_MS }, call);
}
