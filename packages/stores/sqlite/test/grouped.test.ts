import type { CommitOutcome, CommitRequest } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { openSqliteBackend } from "../src/maintenance.js";
import { altered, temporaryPath } from "./temporary.js";

let count = 0;

function request(sessionId: string, content: string, more: Partial<CommitRequest> = {}): CommitRequest {
  const id = `c${++count}`;
  const message = { id: `m${count}`, role: "user", content };
  return {
    sessionId,
    id,
    at: 1000 + count,
    ops: [{ op: "append", messages: [message], onExisting: "fail" }],
    ...more,
  };
}

const statuses = (outcomes: readonly CommitOutcome[]): readonly string[] =>
  outcomes.map(({ status }) => status);

async function contents(
  backend: Awaited<ReturnType<typeof openSqliteBackend>>,
  id: string,
): Promise<unknown> {
  return (await backend.read(id, { messages: "all" }))?.messages.map(({ content }) => content);
}

test("one conflict in a grouped transaction leaves its neighbours' commits in place", async () => {
  const path = await temporaryPath();
  const backend = await openSqliteBackend({ path });
  const outcomes = await backend.commit([
    request("a", "1"),
    request("a", "refused", { ifRevision: 7 }),
    request("b", "1"),
    request("a", "2", { ifRevision: 1 }),
    request("b", "refused", { fence: "1.nobody" }),
    request("c", "1"),
  ]);
  expect(statuses(outcomes)).toEqual(["applied", "rejected", "applied", "applied", "rejected", "applied"]);
  await backend.close();
  const reopened = await openSqliteBackend({ path });
  for (const [id, expected] of [
    ["a", ["1", "2"]],
    ["b", ["1"]],
    ["c", ["1"]],
  ] as const) {
    expect(await contents(reopened, id)).toEqual(expected);
  }
  await reopened.close();
});

test("a second equal commit id in a group sees the first", async () => {
  const backend = await openSqliteBackend({ path: await temporaryPath() });
  const first = request("a", "1", { digest: "d" });
  const outcomes = await backend.commit([first, first, { ...first, digest: "other" }]);
  expect(statuses(outcomes)).toEqual(["applied", "duplicate", "rejected"]);
  expect(await contents(backend, "a")).toEqual(["1"]);
  await backend.close();
});

test("a session that turns out to be damaged while it is written leaves its neighbours' commits in place", async () => {
  const path = await temporaryPath();
  const backend = await openSqliteBackend({ path });
  await backend.commit([request("good", "1"), request("bad", "1")]);
  await backend.close();
  // An update reads the row that it changes, and only then finds that it is not what was written.
  altered(path, (db) => db.exec("UPDATE messages SET body = replace(body, 'user', 'robot') WHERE log = 2"));
  const reopened = await openSqliteBackend({ path });
  const update: CommitRequest = {
    ...request("bad", ""),
    ops: [{ op: "update", message: { id: `m2`, role: "user", content: "over it" } }],
  };
  const bad = await reopened.read("bad", { messages: "none" });
  expect(bad?.messageCount).toBe(1);
  const id = altered(path, (db) => String(db.prepare("SELECT id FROM messages WHERE log = 2").pluck().get()));
  const outcomes = await reopened.commit([
    request("good", "2"),
    { ...update, ops: [{ op: "update", message: { id, role: "user", content: "over it" } }] },
    request("new", "1"),
  ]);
  expect(statuses(outcomes)).toEqual(["applied", "rejected", "applied"]);
  expect(outcomes[1]).toMatchObject({ error: { code: "SESSION_CORRUPTED", sessionId: "bad" } });
  expect(await contents(reopened, "good")).toEqual(["1", "2"]);
  expect(await contents(reopened, "new")).toEqual(["1"]);
  await reopened.close();
});
