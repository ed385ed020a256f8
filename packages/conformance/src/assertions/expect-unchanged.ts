import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";

/** Runs `attempt` and expects that its export and its turn are the same afterwards, or that there still is no session. */
export async function expectUnchanged(
  store: SessionStore,
  sessionId: string,
  attempt: () => Promise<unknown>,
): Promise<void> {
  const before = await stateOf(store, sessionId);
  await attempt();
  expect(await stateOf(store, sessionId)).toBe(before);
}

async function stateOf(store: SessionStore, sessionId: string): Promise<string> {
  if (!(await store.sessionExists(sessionId))) return "absent";
  const { turn } = (await store.getSession(sessionId, { messages: "none" })) ?? {};
  return JSON.stringify([await store.exportSession(sessionId), turn]);
}
