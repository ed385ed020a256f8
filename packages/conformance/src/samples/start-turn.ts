import type { BeginTurnOptions, SessionStore, Turn } from "@sessions/protocol";

/** Begins a turn, and throws if it is a duplicate. */
export async function startTurn(store: SessionStore, id: string, options?: BeginTurnOptions): Promise<Turn> {
  const begun = await store.beginTurn(id, options);
  if (begun.status !== "begun") throw new Error(`turn "${begun.turnId}" has been run before`);
  return begun.turn;
}
