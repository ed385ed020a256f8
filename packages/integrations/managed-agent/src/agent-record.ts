import {
  type OperationInput,
  type Session,
  type SessionInit,
  type SessionSummary,
  set,
} from "@sessions/protocol";
import { type AgentConfig, isFields } from "@sessions/turn-runner";

/** The metadata keys of an agent's session. Each holds one value, so that two writers do not overwrite each other. */
const CONFIG_KEY = "agent.config";
const VERSION_KEY = "agent.version";
export const COMPUTE_KEY = "agent.compute";

/** The first content of an agent's session. */
export function initOf(config: AgentConfig): SessionInit {
  const labels = config.name === undefined ? {} : { labels: { agent: config.name } };
  return { ...labels, metadata: { [CONFIG_KEY]: definedIn(config), [VERSION_KEY]: 1 } };
}

/** Stores a config under a version. */
export function configChange(config: AgentConfig, version: number): OperationInput {
  return set({
    labels: { agent: config.name ?? null },
    metadata: { [CONFIG_KEY]: definedIn(config), [VERSION_KEY]: version },
  });
}

/** The config of a session; `undefined` if no agent has run in it. */
export function configOf(session: SessionSummary | Session): AgentConfig | undefined {
  const stored = session.metadata[CONFIG_KEY];
  return isConfig(stored) ? stored : undefined;
}

/** The version of a session's config; 0 if it has none. */
export function versionOf(session: SessionSummary): number {
  const version = session.metadata[VERSION_KEY];
  return typeof version === "number" ? version : 0;
}

function isConfig(value: unknown): value is AgentConfig {
  return isFields(value);
}

// In JSON, a field that is undefined is absent.
function definedIn(config: AgentConfig): object {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
