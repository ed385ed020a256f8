import {
  type JsonObject,
  type OperationInput,
  type Session,
  type SessionInit,
  type SessionSummary,
  set,
} from "@sessions/protocol";
import type { AgentConfig } from "../agent-config.js";
import { isRecord } from "../argument.js";

/** The metadata keys that an agent's session has. Each is one value, so that nobody's change undoes another's. */
const CONFIG_KEY = "agent.config";
const VERSION_KEY = "agent.version";
export const COMPUTE_KEY = "agent.compute";
/** The turn that was cut off and then kept: it is not reported again. */
export const KEPT_KEY = "agent.kept";
const STATE_PREFIX = "state.";

/** How a session of this agent begins. */
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

/** The config that a session has; `undefined` for a session that no agent has had yet. */
export function configOf(session: SessionSummary): AgentConfig | undefined {
  const stored = session.metadata[CONFIG_KEY];
  return isConfig(stored) ? stored : undefined;
}

/** Which version of its config a session has; 0 if none. */
export function versionOf(session: SessionSummary): number {
  const version = session.metadata[VERSION_KEY];
  return typeof version === "number" ? version : 0;
}

/** The state that a session holds. */
export function stateOf(session: SessionSummary): JsonObject {
  return Object.fromEntries(
    Object.entries(session.metadata)
      .filter(([key]) => key.startsWith(STATE_PREFIX))
      .map(([key, value]) => [key.slice(STATE_PREFIX.length), value]),
  );
}

/** A change of the state as a change of metadata: key by key, `null` removes. */
export function statePatch(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [STATE_PREFIX + key, value]));
}

/** Whether the cut-off turn of this id was kept. */
export function wasKept(session: Session | SessionSummary, turnId: string): boolean {
  return session.metadata[KEPT_KEY] === turnId;
}

function isConfig(value: unknown): value is AgentConfig {
  return isRecord(value);
}

// A metadata value is JSON, where a field that is undefined is an absent one.
function definedIn(config: AgentConfig): object {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
