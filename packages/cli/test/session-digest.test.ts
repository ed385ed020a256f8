import { openMemoryStore } from "@sessions/memory";
import type { SessionDocument } from "@sessions/protocol";
import { expect, test } from "vitest";
import { sessionDigest } from "../src/sessions/session-digest.js";
import { fillCorpus } from "./corpus.js";

async function sample(): Promise<SessionDocument> {
  await using store = openMemoryStore();
  await fillCorpus(store, 25);
  return (await store.exportSession("s0")).session;
}

/** Paths to everything in a JSON value. */
function* paths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (Array.isArray(value) && value.length === 0) return; // nothing to change in it
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) yield* paths(item, [...path, key]);
  } else yield path;
}

function changedAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return typeof value === "number" ? value + 1 : `${JSON.stringify(value)} changed`;
  const copy: unknown = structuredClone(value);
  if (typeof copy !== "object" || copy === null) throw new Error("a path leads nowhere");
  Reflect.set(copy, key, changedAt(Reflect.get(copy, key), rest));
  return copy;
}

test("a change anywhere in a session changes its digest", async () => {
  const session = await sample();
  const digest = sessionDigest("s", session);
  const all = [...paths(session)].filter((path) => !path.includes("shared"));
  expect(all.length).toBeGreaterThan(60);
  for (const path of all) {
    const changed: unknown = changedAt(session, path);
    expect(Reflect.apply(sessionDigest, undefined, ["s", changed]), path.join(".")).not.toBe(digest);
  }
  expect(sessionDigest("t", session)).not.toBe(digest);
});

test("details that a store may choose do not change the digest of a session", async () => {
  const session = await sample();
  const reversed = Object.fromEntries(Object.entries(session).reverse());
  const unshared = {
    ...session,
    snapshots: session.snapshots.map((snapshot) => ({
      ...snapshot,
      shared: 0,
      messages: [...session.messages.slice(0, snapshot.shared), ...snapshot.messages],
      revisions: [...session.revisions.slice(0, snapshot.shared), ...snapshot.revisions],
    })),
  };
  const digest = sessionDigest("s", session);
  expect(session.snapshots.length).toBeGreaterThan(0);
  expect(Reflect.apply(sessionDigest, undefined, ["s", reversed])).toBe(digest);
  expect(sessionDigest("s", unshared)).toBe(digest);
});
