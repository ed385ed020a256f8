import type { EndReason, ResetOptions } from "../options.js";
import { dayStart } from "./day-start.js";

/** The activity of a conversation. */
export interface Activity {
  /** When the last message came; `undefined` if there is none. */
  readonly lastAt: number | undefined;
  /** Turns since it began. */
  readonly turns: number;
}

/** Why a new conversation must begin before the next turn; `undefined` if it need not. */
export function dueReset(
  { idleMs, daily, turns: maxTurns }: ResetOptions,
  { lastAt, turns }: Activity,
  now: number,
): EndReason | undefined {
  if (lastAt === undefined) return undefined;
  if (maxTurns !== undefined && turns >= maxTurns) return "turns";
  if (daily !== undefined && lastAt < dayStart(now, daily.hour, daily.timeZone)) return "daily";
  if (idleMs !== undefined && now - lastAt >= idleMs) return "idle";
  return undefined;
}
