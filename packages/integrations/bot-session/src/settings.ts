import { type Clock, requireOptions, type SessionStore, systemClock } from "@sessions/protocol/integration";
import {
  type AgentConfig,
  type CheckpointIntervals,
  type ContextBudget,
  createIds,
  invalid,
  requireCheckpoint,
  requireContextBudget,
  requireCount,
  requireFields,
  requireFunction,
  requireName,
} from "@sessions/turn-runner";
import { Hooks } from "./hooks.js";
import type { KeySpace } from "./keys/conversation-parts.js";
import {
  BOT_SESSION_OPTIONS,
  type BotScope,
  type BotSessionOptions,
  type BusyPolicy,
  HISTORY_OPTIONS,
  type HistoryOptions,
  RESET_OPTIONS,
  type ResetOptions,
} from "./options.js";
import { formatOf } from "./reset/day-start.js";
import type { Respond } from "./respond.js";

/** A bot's options, checked and with their defaults. */
export interface Settings {
  readonly store: SessionStore;
  readonly keys: KeySpace;
  readonly respond: Respond;
  readonly config: AgentConfig;
  readonly identity: BotSessionOptions["identity"];
  readonly reset: ResetOptions & {
    readonly commands: readonly string[];
    readonly reply: string;
    readonly destroy: boolean;
  };
  readonly history: ContextBudget & { readonly maxMessages: number };
  readonly busy: BusyPolicy;
  readonly deadlineMs: number;
  readonly ttlMs: number;
  readonly owner: string | undefined;
  readonly checkpoint: CheckpointIntervals;
  readonly hooks: Hooks;
  readonly warn: (warning: { readonly sessionId: string; readonly error: unknown }) => void;
  readonly clock: Clock;
  readonly newId: () => string;
}

const SCOPES: readonly string[] = ["user", "chat", "thread"] satisfies readonly BotScope[];
const POLICIES: readonly string[] = ["queue", "merge", "interrupt", "reject"] satisfies readonly BusyPolicy[];

/** Checks the options. Nothing is read or written: the first call is the first to use the store. */
export function requireSettings(given: BotSessionOptions): Settings {
  const options = requireOptions(given, BOT_SESSION_OPTIONS);
  requireFields(options.store, "options.store");
  requireFunction(options.respond, "options.respond");
  if (options.identity !== undefined) requireFunction(options.identity, "options.identity");
  const { store, respond, identity, clock = systemClock } = options;
  const deadlineMs = requireCount(options.deadlineMs ?? 120_000, "options.deadlineMs", 1);
  const hooks = new Hooks(options, { clock, deadlineMs });
  return {
    store,
    respond,
    identity,
    keys: keysOf(options),
    config: configOf(options.config),
    reset: resetOf(options.reset),
    history: historyOf(options.history),
    busy: oneOf(options.busy ?? "queue", POLICIES, "options.busy"),
    deadlineMs,
    ttlMs: requireCount(options.ttlMs ?? 30_000, "options.ttlMs", 1),
    owner: options.owner === undefined ? undefined : requireName(options.owner, "options.owner"),
    checkpoint: requireCheckpoint(options.checkpoint),
    hooks,
    warn: ({ sessionId, error }) => hooks.failed(error, { during: "warning", sessionId }),
    clock,
    newId: createIds(clock),
  };
}

function keysOf({ platform, account = "", scope }: BotSessionOptions): KeySpace {
  if (typeof account !== "string") throw invalid("options.account", "must be a string.");
  return {
    platform: requireName(platform, "options.platform"),
    account,
    scope: oneOf(scope, SCOPES, "options.scope"),
  };
}

function resetOf(options: ResetOptions = {}): Settings["reset"] {
  const {
    idleMs,
    daily,
    turns,
    commands = ["/new"],
    reply = "A new conversation.",
    destroy = false,
  } = requireOptions(options, RESET_OPTIONS, "options.reset");
  if (idleMs !== undefined) requireCount(idleMs, "options.reset.idleMs", 1);
  if (turns !== undefined) requireCount(turns, "options.reset.turns", 1);
  if (daily !== undefined) requireDaily(daily);
  if (!Array.isArray(commands) || !commands.every((command) => typeof command === "string"))
    throw invalid("options.reset.commands", "must be a list of commands.");
  return { idleMs, daily, turns, commands: [...commands], reply, destroy };
}

function requireDaily(daily: NonNullable<ResetOptions["daily"]>): void {
  const { hour, timeZone } = requireOptions(daily, { hour: true, timeZone: true }, "options.reset.daily");
  if (requireCount(hour, "options.reset.daily.hour", 0) > 23)
    throw invalid("options.reset.daily.hour", "must be a whole hour, 0 to 23.");
  requireName(timeZone, "options.reset.daily.timeZone");
  try {
    formatOf(timeZone);
  } catch (cause) {
    throw invalid("options.reset.daily.timeZone", `is not known here: ${String(cause)}.`);
  }
}

function historyOf(given: HistoryOptions = {}): Settings["history"] {
  const options = requireOptions(given, HISTORY_OPTIONS, "options.history");
  const { maxMessages = Number.MAX_SAFE_INTEGER } = options;
  return {
    ...requireContextBudget(options, "options.history"),
    maxMessages: requireCount(maxMessages, "options.history.maxMessages", 1),
  };
}

function oneOf<Value extends string>(value: Value, known: readonly string[], path: string): Value {
  if (known.includes(value)) return value;
  throw invalid(path, `must be one of ${known.join(", ")}.`);
}

function configOf(config: AgentConfig = {}): AgentConfig {
  requireFields(config, "options.config");
  return { ...config };
}
