import { readFileSync } from "node:fs";
import { systemClock } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { altered, temporaryPath } from "./temporary.js";

const page = readFileSync(new URL("../../../../docs/formats/sqlite.md", import.meta.url), "utf8");

/** The queries of the page, by the comment above each. */
function queries(): ReadonlyMap<string, string> {
  const sql = /```sql\n(.*?)```/s.exec(page)?.[1] ?? "";
  return new Map(
    sql.split(/^-- /m).flatMap((part) => {
      const [title = "", ...lines] = part.split("\n");
      return lines.length === 0 ? [] : [[title.trim(), lines.join("\n")]];
    }),
  );
}

test("the queries of the format's page read a session as the store does", async () => {
  const path = await temporaryPath();
  let time = Date.now();
  // Two sessions that were written in one millisecond have no newest.
  const clock = { ...systemClock, now: () => ++time };
  {
    await using store = await openSqliteStore({ path, clock });
    await store.createSession("user-42", { labels: { user: "ada" }, metadata: { mood: "good" } });
    for (const content of ["a", "b", "c", "d"])
      await store.addMessage("user-42", { id: content, role: "user", content });
    await store.updateMessage("user-42", "b", { role: "user", content: "changed" });
    await store.removeMessages("user-42", "c");
    await store.createSession("other", { messages: [{ role: "user", content: "not mine" }] });
  }
  const run = (title: string): readonly unknown[] =>
    altered(path, (db) => db.prepare(queries().get(title) ?? "").all());
  expect(run("the messages of one session, in order")).toEqual([
    { role: "user", content: "a" },
    { role: "user", content: "changed" },
    { role: "user", content: "d" },
  ]);
  expect(run("the sessions, newest first")).toMatchObject([{ id: "other" }, { id: "user-42", revision: 7 }]);
  expect(run("sessions by a label")).toEqual([{ id: "user-42" }]);
  expect(run("the metadata of a session")).toEqual([{ name: "mood", value: "good" }]);
});

test("the page names every table and every field of a session's record", async () => {
  const path = await temporaryPath();
  {
    await using store = await openSqliteStore({ path, search: true });
    await store.createSession("s", {
      labels: { a: "b" },
      metadata: { m: 1 },
      title: "t",
      counters: { n: 1 },
      expiresIn: 60_000,
    });
    await store.addMessage(
      "s",
      ["a", "b"].map((id) => ({ id, role: "user" })),
      { commitId: "c" },
    );
    await store.archiveMessages("s", { keepRecent: 1 });
    await store.beginTurn("s", { messages: { id: "d", role: "assistant", content: "", status: "partial" } });
  }
  altered(path, (db) => {
    const tables = db
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'search_*'",
      )
      .pluck()
      .all();
    const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('sessions')").pluck().all();
    const state = String(db.prepare("SELECT state FROM sessions").pluck().get());
    for (const name of [...tables, ...columns, ...Object.keys(JSON.parse(state))])
      expect(page, name).toContain(`\`${name}\``);
  });
});
