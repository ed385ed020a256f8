import type {
  DropSnapshotOperation,
  RestoreOperation,
  SnapshotOperation,
} from "../../operations/operation.js";
import { interruptPartials, liveCount, sameHistory } from "../history.js";
import { type ApplyOperation, type OperationContext, refusal } from "../operation-context.js";
import type { LiveState, Snapshot } from "../session-state.js";
import { yieldTurn } from "./turn-end.js";

export const applySnapshot: ApplyOperation<SnapshotOperation> = (state, op, context) => {
  const { history } = state;
  const taken = find(state, op.name);
  if (taken !== undefined && sameHistory(taken.history, history)) return state;
  if (taken !== undefined) throw nameTaken(context, op.name);
  const snapshot: Snapshot = {
    name: op.name,
    createdAt: context.at,
    revision: context.revision,
    messageCount: liveCount(history),
    history,
  };
  return { ...state, snapshots: [...state.snapshots, snapshot] };
};

export const applyDropSnapshot: ApplyOperation<DropSnapshotOperation> = (state, op, context) => {
  const dropped = found(state, op.name, context);
  return { ...state, snapshots: state.snapshots.filter((snapshot) => snapshot !== dropped) };
};

export const applyRestore: ApplyOperation<RestoreOperation> = (state, op, context) => {
  const snapshot = found(state, op.name, context);
  // A draft is restored as a draft only for the turn that may still be writing it.
  const held = state.turn !== undefined && state.turn.token === context.fence;
  const history = held ? snapshot.history : interruptPartials(snapshot.history);
  if (sameHistory(history, state.history)) return state;
  context.rewrites = true;
  return { ...yieldTurn(state, op.force === true, context), history };
};

function find(state: LiveState, name: string): Snapshot | undefined {
  return state.snapshots.find((snapshot) => snapshot.name === name);
}

function found(state: LiveState, name: string, context: OperationContext): Snapshot {
  const snapshot = find(state, name);
  if (snapshot !== undefined) return snapshot;
  throw refusal(context, "SNAPSHOT_NOT_FOUND", `The session has no snapshot "${name}".`, { snapshot: name });
}

function nameTaken(context: OperationContext, name: string): Error {
  return refusal(
    context,
    "INVALID_ARGUMENT",
    `The session has a snapshot "${name}" of another state. Drop it first, or use another name.`,
    {
      path: "name",
    },
  );
}
