import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyCommit,
  documentOf,
  type History,
  type LiveState,
  layeredHistory,
  layeredMemory,
  layersOf,
  type MemoryDocument,
  memoryLayersOf,
  type Remembered,
  type SessionState,
} from "../../src/backend.js";
import { fold, requestPlans } from "../state/arbitrary-requests.js";
import { ArraysAsSource } from "./arrays-as-source.js";

/** The same state, as a store that keeps everything in an engine would read it. */
function stored(state: SessionState): SessionState {
  const commits = { given: asStored(state.commits.given), generated: asStored(state.commits.generated) };
  if (state.status !== "live") return { ...state, commits };
  return {
    ...state,
    commits,
    finishedTurns: asStored(state.finishedTurns),
    history: storedHistory(state.history),
    snapshots: state.snapshots.map((one) => ({ ...one, history: storedHistory(one.history) })),
  };
}

function storedHistory(history: History): History {
  return layeredHistory(new ArraysAsSource(history.messages.slice(), history.revisions.slice()), history);
}

function asStored<Entry extends Remembered>(memory: { toDocument(): MemoryDocument<Entry> }) {
  const { entries, horizon } = memory.toDocument();
  return layeredMemory<Entry>({
    horizon,
    entries: () => entries,
    get: (id) => entries.find((entry) => entry.id === id),
  });
}

/** What the layers of a history come to. */
function rebuilt(history: History): readonly unknown[] {
  const { source, kept, replaced, added } = layersOf(history);
  const base = source?.messages(0, kept) ?? [];
  for (const { position, message } of replaced) base[position] = message;
  return [...base, ...added];
}

/** How much of a snapshot is written out depends on which objects are the same. */
function withoutWindow(state: LiveState): unknown {
  const { commits: _commits, finishedTurns: _turns, snapshots: _snapshots, ...rest } = documentOf(state);
  return { ...rest, snapshots: state.snapshots.map((one) => [one.name, one.history.messages.slice()]) };
}

describe("a state whose messages are in an engine", () => {
  test("comes to the same as one in memory, commit by commit, and its layers say what to write", () => {
    fc.assert(
      fc.property(requestPlans, (plans) => {
        fold(plans, (before, request, expected) => {
          const actual = applyCommit(before === undefined ? undefined : stored(before), request);
          expect(actual.outcome).toEqual(expected.outcome);
          if (expected.state?.status !== "live" || actual.state?.status !== "live") return;
          expect(withoutWindow(actual.state)).toEqual(withoutWindow(expected.state));
          expect(rebuilt(actual.state.history)).toEqual(expected.state.history.messages.slice());
        });
      }),
      { numRuns: 300 },
    );
  });

  test("an append asks the engine for no message", () => {
    const messages = Array.from({ length: 1000 }, (_, n) => ({
      id: `m${n}`,
      role: "user",
      content: "x",
      createdAt: n,
    }));
    const first = applyCommit(undefined, request("c1", messages));
    if (first.state?.status !== "live") throw new Error("it should live");
    const source = new ArraysAsSource(
      first.state.history.messages.slice(),
      first.state.history.revisions.slice(),
    );
    const state = { ...first.state, history: layeredHistory(source, first.state.history) };
    const second = applyCommit(
      state,
      request("c2", [{ id: "new", role: "user", content: "y", createdAt: 1 }]),
    );
    expect(second.outcome.status).toBe("applied");
    expect(source.asked).toBe(0);
    if (second.state?.status !== "live") throw new Error("it should live");
    expect(layersOf(second.state.history)).toMatchObject({
      kept: 1000,
      replaced: [],
      added: [{ id: "new" }],
      revisions: [2],
    });
  });

  test("what an engine remembers and what it must remember beside are told apart", () => {
    const memory = layeredMemory({ horizon: 5, entries: () => [{ id: "a", at: 6 }], get: () => undefined });
    const more = memory.add({ id: "b", at: 7 }, { count: 1, ms: 0 });
    expect(more.get("b")).toEqual({ id: "b", at: 7 });
    expect(more.toDocument()).toEqual({
      entries: [
        { id: "a", at: 6 },
        { id: "b", at: 7 },
      ],
      horizon: 5,
    });
    expect(memoryLayersOf(more)).toMatchObject({ added: [{ id: "b" }], horizon: 5 });
  });
});

function request(
  id: string,
  messages: readonly { id: string; role: string; content: string; createdAt: number }[],
) {
  return {
    sessionId: "s",
    id,
    at: 1,
    ops: [{ op: "append" as const, messages, onExisting: "fail" as const }],
  };
}
