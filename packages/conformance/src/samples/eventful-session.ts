import type { SessionStore } from "@sessions/protocol";
import { numbered, toolCalls, toolResult, user } from "./messages.js";

/** Creates a session with archives, snapshots, a rewritten history, a finished turn and a caller's commit id. */
export async function eventfulSession(store: SessionStore, id: string, commitId = "given"): Promise<void> {
  await store.createSession(id, {
    title: "Eventful",
    labels: { agent: "a" },
    metadata: { list: [], deep: { a: null } },
  });
  await store.addMessage(id, numbered(6), { commitId });
  await store.createSnapshot(id, "whole");
  const archive = await store.archiveMessages(id, { keepRecent: 3 });
  await store.settleArchive(id, archive?.id ?? "", { summary: "said 1 to 3" });
  await store.createSnapshot(id, "archived");
  await store.setChatHistory(id, [user("rewritten", { id: "r1", unknown: { field: [1] } })]);
  await store.runTurn(id, { turnId: "t1", messages: user("go", { id: "q1" }) }, () => undefined);
  await store.addMessage(id, [toolCalls("c1"), toolResult("c1")]);
  await store.incrementCounters(id, { turns: 1 });
}
