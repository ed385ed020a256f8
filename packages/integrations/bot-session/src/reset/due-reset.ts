import type { EndReason, ResetOptions } from "../options.js";
import { dayStart } from "./day-start.js";

/** What a conversation has seen. */
export interface Activity {
  /** When something was said last, or `undefined` if nothing was. */
  readonly lastAt: number | undefined;
  /** Turns since it began. */
  readonly turns: number;
}

/** Whether a conversation must begin anew before the next turn, and why. */
export function dueReset(
  { idleMs, daily, turns }: ResetOptions,
  { lastAt, turns: taken }: Activity,
  now: number,
): EndReason | undefined {
  if (lastAt === undefined) return undefined;
  if (turns !== undefined && taken >= turns) return "turns";
  if (daily !== undefined && lastAt < dayStart(now, daily.hour, daily.timeZone)) return "daily";
  if (idleMs !== undefined && now - lastAt >= idleMs) return "idle";
  return undefined;
}
