import { describe, expect, it } from "vitest";
import { EMPTY_HISTORY } from "../../src/state/history.js";
import { EMPTY_WINDOW } from "../../src/state/memory/commit-window.js";
import { TwoGenerationMemory } from "../../src/state/memory/two-generation-memory.js";
import { copyOfState, type LiveState } from "../../src/state/session-state.js";

/** A state with every field that it may have. The compiler enforces that. */
const FULL: Required<LiveState> = {
  status: "live",
  incarnation: "i",
  revision: 1,
  createdAt: 2,
  updatedAt: 3,
  expiresAt: 4,
  expiresIn: 60_000,
  renewOnUse: true,
  title: "t",
  labels: { user: "u" },
  metadata: { key: [] },
  counters: { turns: 1 },
  parent: { sessionId: "p", incarnation: "j" },
  history: EMPTY_HISTORY,
  rewrittenAt: 1,
  snapshots: [],
  turn: { turnId: "t", token: "k", ttlMs: 1, startedAt: 4, expiresAt: 5, renewals: 0 },
  queue: [],
  lastTurn: { turnId: "t", outcome: "completed", endedAt: 1 },
  finishedTurns: TwoGenerationMemory.empty(),
  commits: EMPTY_WINDOW,
  unknownFields: { added: [1] },
};

describe("copyOfState", () => {
  it("copies every field that a state may have", () => {
    expect(new Map(Object.entries(copyOfState(FULL)))).toEqual(new Map(Object.entries(FULL)));
  });

  it("adds no field", () => {
    const { expiresAt, expiresIn, renewOnUse, title, parent, turn, lastTurn, unknownFields, ...least } = FULL;
    expect(Object.keys(copyOfState(least)).sort()).toEqual(Object.keys(least).sort());
  });
});
