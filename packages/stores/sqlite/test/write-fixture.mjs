/** Writes a database of the present schema version for those who come later: `node write-fixture.mjs fixtures/version-3.db`. */
import { openSqliteStore } from "../dist/index.js";

const [, , path] = process.argv;
const store = await openSqliteStore({ path });

await store.createSession("parent", {
  title: "Kept",
  labels: { user: "ada" },
  metadata: { note: { a: [1] } },
});
for (const n of [1, 2, 3, 4])
  await store.addMessage("parent", { id: `m${n}`, role: "user", content: `${n}` });
await store.createSnapshot("parent", "mark");
await store.updateMessage("parent", "m3", { role: "user", content: "3, changed" });
const archive = await store.archiveMessages("parent", { keepRecent: 2 });
await store.settleArchive("parent", archive.id, { summary: "They greeted each other." });
await store.incrementCounters("parent", { turns: 2 });
await store.addMessage(
  "parent",
  { id: "d", role: "assistant", content: "draft", status: "partial" },
  { commitId: "c1" },
);
await store.commit("parent", { op: "extend", messageId: "d", text: " and more" });
await store.forkSession("parent", { newId: "child" });
for (const n of [1, 2, 3]) await store.addMessage("child", { role: "user", content: `its own ${n}` });
await store.close();
