import { type Clock, createUuidV7 } from "@sessions/protocol/integration";

/** A source of ids that sort by time. */
export function createIds(clock: Clock): () => string {
  const ids = createUuidV7(
    () => clock.now(),
    (bytes) => globalThis.crypto.getRandomValues(bytes),
  );
  return () => ids.next();
}
