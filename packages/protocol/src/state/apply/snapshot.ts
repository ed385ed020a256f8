import type {
  DropSnapshotOperation,
  RestoreOperation,
  SnapshotOperation,
} from "../../operations/operation.js";
import { interruptPartials, liveCount, sameHistory } from "../history.js";
import { type Apply, refusal, type Step } from "../operation-context.js";
import type { LiveState, Snapshot } from "../session-state.js";
import { yieldTurn } from "./turn-end.js";

export const applySnapshot: Apply<SnapshotOperation> = (state, op, step) => {
  const { history } = state;
  const taken = find(state, op.name);
  if (taken !== undefined && sameHistory(taken.history, history)) return state;
  if (taken !== undefined) throw nameTaken(step, op.name);
  const snapshot: Snapshot = {
    name: op.name,
    createdAt: step.at,
    revision: step.revision,
    messageCount: liveCount(history),
    history,
  };
  return { ...state, snapshots: [...state.snapshots, snapshot] };
};

export const applyDropSnapshot: Apply<DropSnapshotOperation> = (state, op, step) => {
  const dropped = found(state, op.name, step);
  return { ...state, snapshots: state.snapshots.filter((snapshot) => snapshot !== dropped) };
};

export const applyRestore: Apply<RestoreOperation> = (state, op, step) => {
  const snapshot = found(state, op.name, step);
  // A draft comes back as a draft only to the turn that may still be writing it.
  const held = state.turn !== undefined && state.turn.token === step.fence;
  const history = held ? snapshot.history : interruptPartials(snapshot.history);
  if (sameHistory(history, state.history)) return state;
  step.rewrites = true;
  return { ...yieldTurn(state, op.force === true, step), history };
};

function find(state: LiveState, name: string): Snapshot | undefined {
  return state.snapshots.find((snapshot) => snapshot.name === name);
}

function found(state: LiveState, name: string, step: Step): Snapshot {
  const snapshot = find(state, name);
  if (snapshot !== undefined) return snapshot;
  throw refusal(step, "SNAPSHOT_NOT_FOUND", `The session has no snapshot "${name}".`, { snapshot: name });
}

function nameTaken(step: Step, name: string): Error {
  return refusal(
    step,
    "INVALID_ARGUMENT",
    `The session has a snapshot "${name}" of another state. Drop it first, or use another name.`,
    {
      path: "name",
    },
  );
}
