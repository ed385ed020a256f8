export { checkHistory } from "./check-history.js";
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
} from "./history-event.js";
