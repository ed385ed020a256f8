import { describe, expect, test } from "vitest";
import { openSqliteStore, type SqliteStore } from "../src/index.js";
import { hasSearchIndex } from "../src/maintenance.js";
import { found, hits, searchable, user } from "./searchable.js";
import { temporaryPath } from "./temporary.js";

describe("the index is in step with every operation", () => {
  const deeds: Readonly<
    Record<string, readonly [(store: SqliteStore) => Promise<unknown>, readonly string[]]>
  > = {
    "an update": [(store) => store.updateMessage("s", "m2", user("m2", "changed")), ["s/m1", "s/m3"]],
    "a removal": [(store) => store.removeMessages("s", "m1"), ["s/m2", "s/m3"]],
    "a replace": [(store) => store.setChatHistory("s", [user("m1", "needle 1"), user("n", "x")]), ["s/m1"]],
    "a clear": [(store) => store.clearSession("s"), []],
    "a pop": [(store) => store.popMessage("s"), ["s/m1", "s/m2"]],
    "an archive": [(store) => store.archiveMessages("s", { keepRecent: 1 }), ["s/m1", "s/m2", "s/m3"]],
    "a deletion": [(store) => store.deleteSession("s"), []],
    "an expiry": [
      async (store) => {
        await store.patchSession("s", { expiresAt: Date.now() - 1 });
      },
      [],
    ],
    "a fork, and the end of its parent": [
      async (store) => {
        await store.forkSession("s", { newId: "f", at: "m2" });
        await store.deleteSession("s");
        await store.sweep();
      },
      ["f/m1", "f/m2"],
    ],
    "a revert": [
      async (store) => {
        await store.createSnapshot("s", "mark");
        await store.setChatHistory("s", [user("n", "needle no more?")]);
        await store.revertToSnapshot("s", "mark");
        await store.dropSnapshot("s", "mark");
        await store.sweep();
      },
      ["s/m1", "s/m2", "s/m3"],
    ],
    "a snapshot alone": [
      async (store) => {
        await store.createSnapshot("s", "mark");
        await store.clearSession("s");
      },
      [],
    ],
    "a draft that is finished": [
      async (store) => {
        await store.addMessage("s", { id: "d", role: "assistant", content: "nee", status: "partial" });
        await store.commit("s", { op: "extend", messageId: "d", text: "dle" });
        await store.commit("s", { op: "extend", messageId: "d", text: "!", status: "complete" });
      },
      ["s/d", "s/m1", "s/m2", "s/m3"],
    ],
    "an id that is used again": [
      async (store) => {
        await store.removeMessages("s", ["m1", "m2", "m3"]);
        await store.addMessage("s", user("m1", "other"));
      },
      [],
    ],
    "an import": [
      async (store) => {
        const bundle = await store.exportSession("s");
        await store.deleteSession("s");
        await store.importSession(bundle, { newId: "i" });
      },
      ["i/m1", "i/m2", "i/m3"],
    ],
  };

  test.each(Object.entries(deeds))("%s", async (_name, [deed, expected]) => {
    const path = await temporaryPath();
    await using store = await searchable(path);
    await store.addMessage("s", [user("m1", "needle 1"), user("m2", "needle 2"), user("m3", "needle 3")]);
    await deed(store);
    expect(await found(store, "needle")).toEqual(expected);
    await store.sweep();
    expect(await found(store, "needle")).toEqual(expected);
    await using other = await searchable(path);
    expect(await found(other, "needle")).toEqual(expected);
  });
});

test("a commit that fails leaves nothing in the index", async () => {
  await using store = await searchable();
  await store.addMessage("s", user("m1", "x"));
  const refused = store.commit("s", [
    { op: "append", messages: [user("m2", "needle")] },
    { op: "drop-snapshot", name: "nobody" },
  ]);
  await expect(refused).rejects.toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
  expect(await found(store, "needle")).toEqual([]);
});

test("pages follow each other without gaps or repeats, forks and all", async () => {
  await using store = await searchable();
  const messages = Array.from({ length: 150 }, (_, n) => user(`m${n}`, `needle ${"hay ".repeat(n % 7)}`));
  await store.addMessage("s", messages);
  await store.forkSession("s", { newId: "f" });
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.search?.({
      text: "needle",
      limit: 7,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(page?.items.length).toBeLessThanOrEqual(7);
    all.push(...(page?.items ?? []).map((hit) => `${hit.sessionId}/${hit.messageId}`));
    cursor = page?.cursor;
  } while (cursor !== undefined);
  expect(all).toHaveLength(300);
  expect(new Set(all).size).toBe(300);
  await expect(store.search?.({ text: "needle", cursor: "made up" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("a hit has a snippet with marks, a score, and what stands around it", async () => {
  await using store = await searchable();
  const talk = [
    "one",
    "two",
    `${"long before ".repeat(30)} the <b>needle</b> itself ${"long after ".repeat(30)}`,
    "four",
    "five",
    "six",
  ];
  await store.addMessage(
    "s",
    talk.map((content, n) => user(`m${n}`, content)),
  );
  const [hit] = await hits(store, "Needle itself");
  expect(hit?.snippet).toMatch(/^….*the <b>⟪needle⟫<\/b> ⟪itself⟫.*…$/);
  expect(hit?.snippet.length).toBeLessThan(200);
  expect(hit?.score).toBeGreaterThan(0);
  expect(hit?.messages.map(({ id }) => id)).toEqual(["m0", "m1", "m2", "m3", "m4"]);
  await store.addMessage("j", user("m", "今日は素早い狐を見た"));
  expect((await hits(store, "素早い"))[0]?.snippet).toBe("今日は⟪素早い⟫狐を見た");
  expect((await hits(store, "狐"))[0]?.snippet).toBe("今日は素早い⟪狐⟫を見た");
});

test("labels, roles and times choose", async () => {
  await using store = await searchable();
  await store.createSession("a", {
    labels: { user: "ada" },
    messages: [{ ...user("m1", "needle"), createdAt: 1000 }],
  });
  await store.createSession("b", {
    messages: [{ id: "m1", role: "assistant", content: "needle", createdAt: 2000 }],
  });
  expect(await found(store, { text: "needle", labels: { user: "ada" } })).toEqual(["a/m1"]);
  expect(await found(store, { text: "needle", labels: { user: "bob" } })).toEqual([]);
  expect(await found(store, { text: "needle", roles: ["assistant", "tool"] })).toEqual(["b/m1"]);
  expect(await found(store, { text: "needle", since: 1500 })).toEqual(["b/m1"]);
  for (const wrong of [{ text: 1 }, { text: "x", limit: 0 }, { text: "x", roles: "user" }]) {
    await expect(Reflect.apply(store.search ?? fail, store, [wrong])).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  }
});

function fail(): never {
  throw new Error("the store has no search");
}

test("a database that was made without search is indexed, and writers without search keep the index", async () => {
  const path = await temporaryPath();
  await using plain = await openSqliteStore({ path });
  expect(plain.search).toBeUndefined();
  await plain.addMessage(
    "s",
    Array.from({ length: 450 }, (_, n) => user(`m${n}`, `before ${n}`)),
  );
  await using store = await searchable(path);
  expect(await found(store, { text: "before", limit: 200 })).toHaveLength(200);
  expect(await found(store, "449")).toEqual(["s/m449"]);
  await plain.addMessage("s", user("late", "after"));
  await plain.updateMessage("s", "m449", user("m449", "changed"));
  expect(await found(store, "after")).toEqual(["s/late"]);
  expect(await found(store, "449")).toEqual([]);
});

test("messages of the AI SDK and items of the OpenAI Agents SDK are found by their words", async () => {
  await using store = await searchable();
  await store.addMessage("s", { id: "ui", role: "user", parts: [{ type: "text", text: "a heron" }] });
  const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "a kestrel" }] };
  await store.addMessage("s", { id: "item", role: "assistant", item });
  expect(await found(store, "heron")).toEqual(["s/ui"]);
  expect(await found(store, "kestrel")).toEqual(["s/item"]);
});

test("a tool can ask whether there is an index, which makes neither an index nor a database", async () => {
  const path = await temporaryPath();
  await expect(hasSearchIndex({ path })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await (await openSqliteStore({ path })).close();
  expect(await hasSearchIndex({ path, search: true })).toBe(false);
  expect(await hasSearchIndex({ path })).toBe(false);
  await (await openSqliteStore({ path, search: true })).close();
  expect(await hasSearchIndex({ path })).toBe(true);
});
