import {
  type Clock,
  type CountTokens,
  createUuidV7,
  estimateTokens,
  requireOptions,
  type SessionStore,
  type SummaryTask,
  systemClock,
} from "@sessions/protocol/integration";
import type { AgentConfig } from "./agent-config.js";
import { invalid, requireCount, requireFunction, requireName, requireRecord } from "./argument.js";
import {
  AGENT_CONTEXT_OPTIONS,
  type AgentContextOptions,
  CHECKPOINT_OPTIONS,
  type CheckpointOptions,
  type ComputeHooks,
  MANAGED_AGENT_OPTIONS,
  type ManagedAgentOptions,
  QUEUE_OPTIONS,
  type QueueOptions,
  type Warning,
} from "./options.js";
import type { Runner } from "./runner.js";
import { ignoreRejection } from "./turn/ignore-rejection.js";
import { notify } from "./turn/notify.js";

/** An agent's options, checked and with their defaults. */
export interface Settings {
  readonly store: SessionStore;
  readonly runner: Runner;
  readonly config: AgentConfig;
  readonly sessionId: string;
  readonly checkpoint: { readonly everyMs: number; readonly everyChars: number };
  readonly context: {
    readonly maxTokens: number;
    readonly keepTokens: number;
    readonly countTokens: CountTokens;
    readonly summarize?: (task: SummaryTask) => Promise<string> | string;
  };
  readonly waitMs: number;
  readonly onDisconnect: "abort" | "continue";
  readonly ttlMs: number;
  readonly owner?: string;
  readonly compute?: ComputeHooks;
  readonly warn: (warning: Warning) => void;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Checks the options. Nothing is read or written: the store is first asked by the first call. */
export function requireSettings(given: ManagedAgentOptions): Settings {
  const options = requireOptions(given, MANAGED_AGENT_OPTIONS);
  requireRecord(options.store, "options.store");
  requireFunction(options.runner, "options.runner");
  const clock = options.clock ?? systemClock;
  const ids = createUuidV7(
    () => clock.now(),
    (bytes) => crypto.getRandomValues(bytes),
  );
  return {
    store: options.store,
    runner: options.runner,
    config: requireConfig(options.config, "options.config"),
    sessionId: requireName(options.sessionId ?? ids.next(), "options.sessionId"),
    checkpoint: checkpointOf(options.checkpoint),
    context: contextOf(options.context),
    waitMs: waitMsOf(options.queue),
    onDisconnect: disconnectOf(options.onDisconnect ?? "abort"),
    ttlMs: requireCount(options.ttlMs ?? 30_000, "options.ttlMs", 1),
    ...(options.owner === undefined ? {} : { owner: requireName(options.owner, "options.owner") }),
    ...(options.compute === undefined ? {} : { compute: computeOf(options.compute) }),
    warn: warnOf(options.onWarning),
    clock,
    newId: () => ids.next(),
  };
}

/** An agent's own copy of a config. That it is JSON is checked when it is stored. */
export function requireConfig(value: AgentConfig, path: string): AgentConfig {
  requireRecord(value, path);
  if (value.name !== undefined) requireName(value.name, `${path}.name`);
  if (value.tools !== undefined && !isNames(value.tools))
    throw invalid(`${path}.tools`, "must be an array of names.");
  return { ...value };
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function waitMsOf(queue: QueueOptions = {}): number {
  const { waitMs = 0 } = requireOptions(queue, QUEUE_OPTIONS, "options.queue");
  return requireCount(waitMs, "options.queue.waitMs", 0);
}

function checkpointOf(given: CheckpointOptions = {}): Settings["checkpoint"] {
  const options = requireOptions(given, CHECKPOINT_OPTIONS, "options.checkpoint");
  return {
    everyMs: requireCount(options.everyMs ?? 2000, "options.checkpoint.everyMs", 0),
    everyChars: requireCount(options.everyChars ?? 16_384, "options.checkpoint.everyChars", 1),
  };
}

function contextOf(given: AgentContextOptions = {}): Settings["context"] {
  const options = requireOptions(given, AGENT_CONTEXT_OPTIONS, "options.context");
  const maxTokens = requireCount(options.maxTokens ?? 100_000, "options.context.maxTokens", 1);
  // At least one token: the newest message, the prompt, is never archived.
  const half = Math.max(1, Math.floor(maxTokens / 2));
  const keepTokens = requireCount(options.keepTokens ?? half, "options.context.keepTokens", 1);
  const { summarize } = options;
  const countTokens = countingOf(options.countTokens);
  if (summarize !== undefined) requireFunction(summarize, "options.context.summarize");
  return { maxTokens, keepTokens, countTokens, ...(summarize === undefined ? {} : { summarize }) };
}

/** What it counts must be a number: with anything else every budget would be a guess. */
function countingOf(countTokens: CountTokens = estimateTokens): CountTokens {
  requireFunction(countTokens, "options.context.countTokens");
  if (countTokens === estimateTokens) return estimateTokens;
  return (message) => {
    const tokens: unknown = countTokens(message);
    if (typeof tokens === "number" && tokens >= 0) return tokens;
    // It may be a promise that fails: nobody waits for it.
    ignoreRejection(tokens);
    throw invalid("options.context.countTokens", "must return a number that is not negative.");
  };
}

function disconnectOf(value: string): "abort" | "continue" {
  if (value === "abort" || value === "continue") return value;
  throw invalid("options.onDisconnect", 'must be "abort" or "continue".');
}

function computeOf(hooks: ComputeHooks): ComputeHooks {
  requireRecord(hooks, "options.compute");
  requireFunction(hooks.provision, "options.compute.provision");
  requireFunction(hooks.shutdown, "options.compute.shutdown");
  return hooks;
}

function warnOf(onWarning: ManagedAgentOptions["onWarning"]): Settings["warn"] {
  if (onWarning === undefined) return () => undefined;
  requireFunction(onWarning, "options.onWarning");
  return (warning) => notify(() => onWarning(warning));
}
