import type { JsonObject, SessionSummary } from "@sessions/protocol";

/** Each key of the state is a metadata key of its own, so that two writers do not overwrite each other. */
const STATE_PREFIX = "state.";

/** The agent's state, from the metadata of its session. */
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
