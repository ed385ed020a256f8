import { type Clock, requireOptions, type SessionStore, systemClock } from "@sessions/protocol/integration";
import {
  type AgentConfig,
  type CheckpointIntervals,
  type ContextBudget,
  type ContextBudgetOptions,
  createIds,
  invalid,
  notify,
  type Runner,
  requireCheckpoint,
  requireContextBudget,
  requireCount,
  requireFields,
  requireFunction,
  requireName,
  type Warning,
} from "@sessions/turn-runner";
import {
  CONTEXT_OPTIONS,
  type ComputeHooks,
  MANAGED_AGENT_OPTIONS,
  type ManagedAgentOptions,
  QUEUE_OPTIONS,
  type QueueOptions,
} from "./options.js";

/** An agent's options, checked and with their defaults. */
export interface Settings {
  readonly store: SessionStore;
  readonly runner: Runner;
  readonly config: AgentConfig;
  readonly sessionId: string;
  readonly checkpoint: CheckpointIntervals;
  readonly context: ContextBudget;
  readonly waitMs: number;
  readonly onDisconnect: "abort" | "continue";
  readonly ttlMs: number;
  readonly owner?: string;
  readonly compute?: ComputeHooks;
  readonly warn: (warning: Warning) => void;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Checks the options. Nothing is read or written: the first call is the first to use the store. */
export function requireSettings(given: ManagedAgentOptions): Settings {
  const options = requireOptions(given, MANAGED_AGENT_OPTIONS);
  requireFields(options.store, "options.store");
  requireFunction(options.runner, "options.runner");
  const clock = options.clock ?? systemClock;
  const newId = createIds(clock);
  return {
    store: options.store,
    runner: options.runner,
    config: requireConfig(options.config, "options.config"),
    sessionId: requireName(options.sessionId ?? newId(), "options.sessionId"),
    checkpoint: requireCheckpoint(options.checkpoint),
    context: contextOf(options.context),
    waitMs: waitMsOf(options.queue),
    onDisconnect: disconnectOf(options.onDisconnect ?? "abort"),
    ttlMs: requireCount(options.ttlMs ?? 30_000, "options.ttlMs", 1),
    ...(options.owner === undefined ? {} : { owner: requireName(options.owner, "options.owner") }),
    ...(options.compute === undefined ? {} : { compute: computeOf(options.compute) }),
    warn: warnOf(options.onWarning),
    clock,
    newId,
  };
}

/** A checked copy of a config. That it is JSON is checked when it is stored. */
export function requireConfig(value: AgentConfig, path: string): AgentConfig {
  requireFields(value, path);
  if (value.name !== undefined) requireName(value.name, `${path}.name`);
  if (value.tools !== undefined && !isNames(value.tools))
    throw invalid(`${path}.tools`, "must be an array of names.");
  return { ...value };
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function contextOf(given: ContextBudgetOptions = {}): ContextBudget {
  return requireContextBudget(requireOptions(given, CONTEXT_OPTIONS, "options.context"), "options.context");
}

function waitMsOf(queue: QueueOptions = {}): number {
  const { waitMs = 0 } = requireOptions(queue, QUEUE_OPTIONS, "options.queue");
  return requireCount(waitMs, "options.queue.waitMs", 0);
}

function disconnectOf(value: string): "abort" | "continue" {
  if (value === "abort" || value === "continue") return value;
  throw invalid("options.onDisconnect", 'must be "abort" or "continue".');
}

function computeOf(hooks: ComputeHooks): ComputeHooks {
  requireFields(hooks, "options.compute");
  requireFunction(hooks.provision, "options.compute.provision");
  requireFunction(hooks.shutdown, "options.compute.shutdown");
  return hooks;
}

function warnOf(onWarning: ManagedAgentOptions["onWarning"]): Settings["warn"] {
  if (onWarning === undefined) return () => undefined;
  requireFunction(onWarning, "options.onWarning");
  return (warning) => notify(() => onWarning(warning));
}
