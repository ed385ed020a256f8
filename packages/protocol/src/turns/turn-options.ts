import type { MessageSelection } from "../backend/selection.js";
import { many } from "../operations/builders.js";
import { field, optional, requireBoolean, requireCount, requireRecord } from "../validate/argument.js";
import { requireId } from "../validate/identifier.js";
import type { Limits } from "../validate/limits.js";
import { requireMessages, type UnnamedDraft } from "../validate/message-draft.js";
import { checkSignal } from "../validate/mutation-options.js";
import { requireSessionMessages } from "../validate/queries.js";
import type { BeginTurnOptions } from "./turn.js";

/** How a turn begins, checked and with its defaults. */
export interface TurnPlan {
  readonly turnId?: string;
  readonly owner?: string;
  readonly ttlMs: number;
  readonly waitMs: number;
  readonly renew: boolean;
  readonly drafts: readonly UnnamedDraft[];
  readonly select: MessageSelection;
  readonly signal?: AbortSignal;
}

/** Long enough for a garbage collection or a slow disk, short enough that a user waits for a crashed worker's turn. */
const DEFAULT_TTL_MS = 30_000;

export function requireTurnOptions(options: BeginTurnOptions, limits: Limits): TurnPlan {
  requireRecord(options, "options");
  checkSignal(options.signal);
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
        : requireMessages(many(options.messages), "options.messages", limits),
    select: requireSessionMessages(options.select, "options.select", limits),
    ...field("signal", options.signal),
  };
}
