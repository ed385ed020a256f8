import type { SessionStore } from "@sessions/protocol";
import type { Operation } from "./operation.js";

const MAX_TOKENS = 1000;

const read = (name: string, call: (store: SessionStore) => Promise<unknown>): Operation => ({
  name,
  reads: true,
  calls: [({ store }) => call(store)],
});

async function listed(store: SessionStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listSessions()) ids.push(id);
  return ids.sort();
}

/** The first change that a watcher receives when it begins at revision 1. */
async function firstChange(store: SessionStore): Promise<unknown> {
  for await (const { sessionId, revision } of store.watch({ session: "s", since: 1 }))
    return { sessionId, revision };
  return "the feed has ended";
}

/** Verifies a sound session. A finding counts as a refusal. */
async function verified(store: SessionStore): Promise<unknown> {
  const { ok, revision } = await store.verify("s");
  return ok ? { ok, revision } : Promise.reject(new VerificationFailed());
}

/** A `verify` that could not read everything may report a finding, but never a sound session. */
export class VerificationFailed extends Error {}

/** Every read of the contract. */
export const reads: readonly Operation[] = [
  read("getSession", (store) => store.getSession("s")),
  read("getSession of one that is not there", (store) => store.getSession("absent")),
  read("getMessages", (store) => store.getMessages("s", ["m1", "m5"])),
  read("sessionExists", (store) => store.sessionExists("s")),
  read("getChatHistory", (store) => store.getChatHistory("s", { limit: 2 })),
  read("getContext", (store) => store.getContext("s", { maxTokens: MAX_TOKENS, countTokens: () => 1 })),
  read("listSessions", listed),
  read(
    "listSessions by label",
    async (store) => (await store.listSessions({ labels: { kind: "sample" } })).items,
  ),
  read("getChildren", (store) => store.getChildren("s")),
  read("getSessionTree", (store) => store.getSessionTree("s")),
  read("listSnapshots", (store) => store.listSnapshots("s")),
  read("listArchives", (store) => store.listArchives("s")),
  read("exportSession", (store) => store.exportSession("s")),
  read("verify", verified),
  read("watch", firstChange),
];
