import type { MessageInput, SessionStore } from "@sessions/protocol";

export const message = (id: string, role = "user"): MessageInput & { readonly id: string } => ({
  id,
  role,
  content: `content of ${id}`,
});

const messages = (...ids: readonly string[]): MessageInput[] => ids.map((id) => message(id));

/** Writes the data that operations start from: a session with every kind of content, its fork, and a third session. */
export async function writeSamples(store: SessionStore): Promise<void> {
  await store.createSession("s", {
    title: "sample",
    labels: { kind: "sample" },
    metadata: { color: "red" },
    messages: messages("m1", "m2", "m3"),
  });
  await store.addMessage("s", messages("m4", "m5", "m6"));
  const archive = await store.archiveMessages("s", { keepRecent: 4 });
  await store.settleArchive("s", archive?.id ?? "", { summary: "m1 and m2" });
  await store.createSnapshot("s", "before");
  await store.addMessage("s", message("m7", "assistant"));
  await store.incrementCounters("s", { turns: 1 });
  await store.forkSession("s", { newId: "fork" });
  await store.addMessage("other", messages("o1", "o2"));
}
