import { expect, test } from "vitest";
import { createStore, type SessionStore } from "../../src/backend.js";
import { MapBackend } from "./map-backend.js";

test("a context contains each message or its summary once, even if an archive is settled during the read", async () => {
  let reads = 0;
  let settleAt = Number.POSITIVE_INFINITY;
  const states = new Map();
  const settler: SessionStore = createStore(new MapBackend(undefined, states));
  const after = async (what: string): Promise<void> => {
    if (what !== "read" || ++reads !== settleAt) return;
    const [archive] = await settler.listArchives("s");
    await settler.settleArchive("s", archive?.id ?? "", { summary: "what was said" });
  };
  const store = createStore(new MapBackend({ before: async () => undefined, after }, states));

  // The summary may be settled before or after any of the reads. The context is either the one before or the one after
  // it.
  for (let nth = 1; nth <= 3; nth++) {
    states.clear();
    const messages = Array.from({ length: 10 }, (_, index) => ({
      id: `m${index}`,
      role: "user",
      content: `${index}`,
    }));
    await settler.addMessage("s", messages);
    await settler.archiveMessages("s", { keepRecent: 4 });
    settleAt = reads + nth;
    const context = await store.getContext("s", { maxTokens: 100_000 });
    const ids = context.messages.map((message) => message.id);
    const live = ["m6", "m7", "m8", "m9"];
    const whole = messages.map((message) => message.id);
    expect([whole.join(), [ids[0], ...live].join()]).toContain(ids.join());
    expect(context.omitted).toEqual({ archiveIds: [], messages: 0 });
  }
});

test("a context that others change at every read is STORE_BUSY at the deadline", async () => {
  const states = new Map();
  const archiver: SessionStore = createStore(new MapBackend(undefined, states));
  const after = async (what: string): Promise<void> => {
    if (what !== "read") return;
    await archiver.addMessage("s", { role: "user", content: "one more" });
    await archiver.archiveMessages("s", { keepRecent: 0 });
  };
  const backend = new MapBackend({ before: async () => undefined, after }, states);
  const store = createStore(backend, { conflictDeadlineMs: 100 });
  await archiver.addMessage("s", { role: "user", content: "hello" });
  const context = store.getContext("s", { maxTokens: 100_000 });
  await expect(context).rejects.toMatchObject({ code: "STORE_BUSY", sessionId: "s", retryable: true });
});
