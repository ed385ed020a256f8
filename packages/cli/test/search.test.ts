import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { durableStores } from "./durable-stores.js";
import { sessionsHere, temporaryFolder } from "./run-sessions.js";

test("search on SQLite without an index says how to make one, and doing that indexes what is there", async () => {
  const cwd = await temporaryFolder();
  const store = await openStore(`sqlite:${cwd}/store.db`);
  await store.addMessage("s", { role: "user", content: "where is my parcel" });
  await store.close();
  const scanned = await sessionsHere(["search", "parcel", "--store", "sqlite:./store.db"], { cwd });
  expect(scanned).toMatchObject({ code: 0, stdout: expect.stringContaining("parcel") });
  expect(scanned.stderr).toContain("This store has no search index, so every session is read.");
  const url = /sqlite:\S+\?search=true/.exec(scanned.stderr)?.[0] ?? "";
  expect(url).toBe(`sqlite:${cwd}/store.db?search=true`);
  const indexed = await sessionsHere(["search", "parcel", "--store", url], { cwd });
  expect(indexed).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("⟪parcel⟫") });
});

test.each(durableStores.filter(({ kind }) => kind !== "sqlite"))(
  "search on $kind, which cannot have an index, names the store that can",
  async ({ url }) => {
    const cwd = await temporaryFolder();
    await using store = await openStore(url(cwd, "store"));
    await store.addMessage("s", { role: "user", content: "where is my parcel" });
    const { code, stderr } = await sessionsHere(["search", "parcel", "--store", url(cwd, "store")], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain("sessions migrate FROM 'sqlite:./copy.db?search=true'");
  },
);
