import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { hasStopped, said, started } from "./other-process.js";
import { temporaryPath } from "./temporary.js";

test("while a writer stands still in a transaction others read, and fail with STORE_BUSY; then all goes on", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path, deadlineMs: 150 });
  await store.addMessage("s", { id: "first", role: "user", content: "1" });
  const sleeper = started("./stopped-writer.mjs", { path });
  await hasStopped(sleeper);

  const refused = await Promise.allSettled([
    store.addMessage("s", { role: "user", content: "lost" }),
    store.addMessage("t", { role: "user", content: "lost" }),
  ]);
  for (const one of refused) {
    const reason: unknown = one.status === "rejected" ? one.reason : undefined;
    expect(SessionError.is(reason, "STORE_BUSY")).toBe(true);
    expect(reason).toMatchObject({ retryable: true, waitedMs: expect.any(Number) });
  }
  expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["first"]);
  expect((await store.listSessions()).items).toHaveLength(1);

  await using patient = await openSqliteStore({ path, deadlineMs: 60_000 });
  const waiting = patient.addMessage("s", { id: "patient", role: "user", content: "2" });
  sleeper.kill("SIGCONT");
  expect(await said(sleeper)).toEqual({ revision: 2 });
  expect(await waiting).toMatchObject({ revision: 3 });
  expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["first", "sleeper", "patient"]);
});

test("a writer that is killed in a transaction leaves nothing of it, and holds up nobody", async () => {
  const path = await temporaryPath();
  await using store = await openSqliteStore({ path });
  await store.addMessage("s", { id: "first", role: "user", content: "1" });
  const sleeper = started("./stopped-writer.mjs", { path });
  await hasStopped(sleeper);
  sleeper.kill("SIGKILL");
  await store.addMessage("s", { id: "next", role: "user", content: "2" });
  expect((await store.getChatHistory("s")).map(({ id }) => id)).toEqual(["first", "next"]);
  expect(await store.verify("s")).toMatchObject({ ok: true, revision: 2 });
});
