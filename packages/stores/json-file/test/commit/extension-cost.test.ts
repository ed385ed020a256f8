import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { extend, openJsonFileStore } from "../../src/index.js";
import { segmentOf } from "../conformance/folder-place.js";

test("an extension of a draft writes what it adds, however long the draft is", async () => {
  const root = await mkdtemp(join(tmpdir(), "extension-cost-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await using store = await openJsonFileStore({ root });
  const content = "x".repeat(1_000_000);
  await store.addMessage("s", { id: "d", role: "assistant", content, status: "partial" });
  const before = (await stat(await segmentOf(root, "s"))).size;
  for (let n = 0; n < 20; n++) await store.commit("s", extend("d", { text: "a few words " }));
  expect((await stat(await segmentOf(root, "s"))).size - before).toBeLessThan(20 * 500);
  expect((await store.getChatHistory("s"))[0]?.content).toBe(content + "a few words ".repeat(20));
});
