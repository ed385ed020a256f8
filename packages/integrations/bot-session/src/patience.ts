import { savePatiently } from "@sessions/managed-agent/building-blocks";
import type { MutationOptions } from "@sessions/protocol";
import type { Settings } from "./settings.js";

/** What patience depends on. */
export type Patient = Pick<Settings, "clock" | "newId" | "ttlMs">;

/**
 * Calls the store again while it is busy or out of reach, for half a lease at most. A mutation must hand on the options:
 * they name its commit, so that it counts once.
 */
export function patiently<Result>(
  { clock, newId, ttlMs }: Patient,
  call: (options: MutationOptions) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const isOver = (): boolean => signal?.aborted === true;
  return savePatiently({ clock, newId, deadlineMs: ttlMs / 2, isOver }, call);
}
