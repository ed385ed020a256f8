import type { SessionStore } from "../src/index.js";

const say = (content: string): { role: string; content: string } => ({ role: "user", content });

/** Every kind of call on the session `s`. */
export const CALLS: readonly [string, (store: SessionStore) => Promise<unknown>][] = [
  ["getSession", (store) => store.getSession("s")],
  ["getChatHistory", (store) => store.getChatHistory("s")],
  ["sessionExists", (store) => store.sessionExists("s")],
  ["getContext", (store) => store.getContext("s", { maxTokens: 10 })],
  ["exportSession", (store) => store.exportSession("s")],
  ["addMessage", (store) => store.addMessage("s", say("lost"))],
  ["setChatHistory", (store) => store.setChatHistory("s", [])],
  ["updateSessionMetadata", (store) => store.updateSessionMetadata("s", { a: 1 })],
  ["deleteSession", (store) => store.deleteSession("s")],
  ["forkSession", (store) => store.forkSession("s", { newId: "fork" })],
  ["beginTurn", (store) => store.beginTurn("s", { ttlMs: 1000 })],
  ["importSession", (store) => importedOver(store)],
  ["watch", (store) => nextChange(store)],
];

async function importedOver(store: SessionStore): Promise<unknown> {
  await store.addMessage("other", say("mine"));
  return store.importSession(await store.exportSession("other"), { newId: "s" });
}

async function nextChange(store: SessionStore): Promise<unknown> {
  for await (const change of store.watch({ session: "s", since: 0 })) return change;
  return undefined;
}
