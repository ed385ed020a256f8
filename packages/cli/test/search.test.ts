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

test("search on SQLite uses the index that an app has made, without search=true, and ls does not make one", async () => {
  const cwd = await temporaryFolder();
  for (const [file, options] of [
    ["indexed.db", "?search=true"],
    ["plain.db", ""],
  ] as const) {
    const store = await openStore(`sqlite:${cwd}/${file}${options}`);
    await store.addMessage("s", { role: "user", content: "where is my parcel" });
    await store.close();
    expect((await sessionsHere(["ls", "--store", `sqlite:./${file}`], { cwd })).code).toBe(0);
  }
  const search = (url: string) => sessionsHere(["search", "parcel", "--store", url], { cwd });
  const indexed = await search("sqlite:./indexed.db");
  expect(indexed).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("⟪parcel⟫") });
  const plain = await search("sqlite:./plain.db");
  expect(plain.stderr).toContain("This store has no search index");
  const refused = await search("sqlite:./indexed.db?search=false");
  expect(refused.stdout, "an option that is set counts").not.toContain("⟪");
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
