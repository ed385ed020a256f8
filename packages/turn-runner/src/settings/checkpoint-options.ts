import { type OptionNames, requireOptions } from "@sessions/protocol/integration";
import { requireCount } from "../arguments/require.js";

/** When a growing answer is saved: by time or by size, whichever comes first. Tool calls and results are saved at once. */
export interface CheckpointOptions {
  readonly everyMs?: number | undefined;
  /** Characters since the last checkpoint. */
  readonly everyChars?: number | undefined;
}

/** The options, with their defaults. */
export interface CheckpointIntervals {
  readonly everyMs: number;
  readonly everyChars: number;
}

const CHECKPOINT_OPTIONS: OptionNames<CheckpointOptions> = { everyMs: true, everyChars: true };

/** Checks `options.checkpoint`. */
export function requireCheckpoint(
  given: CheckpointOptions = {},
  defaults: CheckpointIntervals = { everyMs: 2000, everyChars: 16_384 },
): CheckpointIntervals {
  const options = requireOptions(given, CHECKPOINT_OPTIONS, "options.checkpoint");
  return {
    everyMs: requireCount(options.everyMs ?? defaults.everyMs, "options.checkpoint.everyMs", 0),
    everyChars: requireCount(options.everyChars ?? defaults.everyChars, "options.checkpoint.everyChars", 1),
  };
}
