import { MUTATION_OPTIONS } from "../api/mutation.js";
import type { BeginTurnOptions, CompleteOptions, FailOptions } from "../api/turn.js";
import type { Limits } from "../arguments/limits.js";
import { oneOrMany } from "../arguments/lists.js";
import { field, optional } from "../arguments/optional-field.js";
import { type OptionNames, requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireBoolean, requireCount } from "../arguments/require-value.js";
import type { MessageSelection } from "../backend/selection.js";
import { type CheckedMessage, requireMessages } from "../validate/checked-message.js";
import { requireSessionMessages } from "../validate/queries.js";

const BEGIN_TURN_OPTIONS: OptionNames<BeginTurnOptions> = {
  turnId: true,
  owner: true,
  ttlMs: true,
  waitMs: true,
  renew: true,
  messages: true,
  select: true,
  signal: "signal",
};

export const COMPLETE_OPTIONS: OptionNames<CompleteOptions> = {
  ...MUTATION_OPTIONS,
  drafts: ["finish", "interrupt"],
};

export const FAIL_OPTIONS: OptionNames<FailOptions> = { ...MUTATION_OPTIONS, outcome: true };

/** The options of a turn, checked and with defaults. */
export interface TurnPlan {
  readonly turnId?: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly waitMs: number;
  readonly renew: boolean;
  readonly drafts: readonly CheckedMessage[];
  readonly select: MessageSelection;
  readonly signal?: AbortSignal;
}

/** Long enough for a garbage collection or a slow disk, short enough to wait for the turn of a crashed worker. */
const DEFAULT_TTL_MS = 30_000;

export function requireTurnOptions(given: BeginTurnOptions, limits: Limits): TurnPlan {
  const options = requireOptions(given, BEGIN_TURN_OPTIONS);
  const id = (value: unknown, path: string): string => requireId(value, path, limits);
  return {
    ...field("turnId", optional(options.turnId, "options.turnId", id)),
    ...field("owner", optional(options.owner, "options.owner", id)),
    ttlMs: requireCount(options.ttlMs ?? DEFAULT_TTL_MS, "options.ttlMs", 1),
    waitMs: requireCount(options.waitMs ?? 0, "options.waitMs"),
    renew: requireBoolean(options.renew ?? true, "options.renew"),
    drafts:
      options.messages === undefined
        ? []
        : requireMessages(oneOrMany(options.messages, "options.messages"), "options.messages", limits),
    select: requireSessionMessages(options.select, "options.select", limits),
    ...field("signal", options.signal),
  };
}
