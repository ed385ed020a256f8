export { checkHistory } from "../history/check-history.js";
export type {
  Failed,
  HistoryAction,
  HistoryEvent,
  HistoryResult,
  Invoked,
  Succeeded,
  Unknown,
  Violation,
  ViolationKind,
} from "../history/history-event.js";
export { PausedProcess } from "./paused-process.js";
export { Recorder, sharedClock } from "./recorder.js";
