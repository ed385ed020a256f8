import { expect } from "vitest";
import { documentOf } from "../../src/state/documents/document-of.js";
import { readState } from "../../src/state/reads/read-state.js";
import type { LiveState } from "../../src/state/session-state.js";

/** The invariants of every session after any commits. */
export function expectSound(state: LiveState): void {
  const document = documentOf(state);
  const { messages: live, partials, messageCount } = readState("s", state, { messages: "all" });
  const held = document.messages.map((message) => message.id);
  expect(new Set(held).size, "a message is held once").toBe(held.length);
  expect(document.revisions).toHaveLength(held.length);
  for (const { shared, revisions } of [{ shared: 0, revisions: document.revisions }, ...document.snapshots])
    expectAscending([...document.revisions.slice(0, shared), ...revisions]);
  expect(messageCount).toBe(live.length);
  expect(partials, "drafts, oldest first").toEqual(
    live.filter((message) => message.status === "partial").map((message) => message.id),
  );
  let from = 0;
  for (const archive of document.archives) {
    const run = held.slice(from, from + archive.messageCount);
    expect([run[0], run.at(-1)], "an archive is a run of messages").toEqual([
      archive.firstMessageId,
      archive.lastMessageId,
    ]);
    from += archive.messageCount;
  }
  expect(
    live.map((message) => message.id),
    "live is what no archive covers",
  ).toEqual(held.slice(from));
  for (const id of held) expect(readState("s", state, { messages: { ids: [id] } }).messages).toHaveLength(1);
  const turns = document.finishedTurns.entries.map(({ id }) => id);
  expect(new Set(turns).size, "a finished turn is remembered once").toBe(turns.length);
  expect(new Set(state.snapshots.map((snapshot) => snapshot.name)).size).toBe(state.snapshots.length);
}

function expectAscending(revisions: readonly number[]): void {
  const sorted = revisions.toSorted((a, b) => a - b);
  expect(revisions, "a message stands behind those that were added before it").toEqual(sorted);
}
