export { checkHistory } from "../history/check-history.js";
export type * from "../history/history-event.js";
export { PausedProcess } from "./paused-process.js";
export { Recorder, sharedClock } from "./recorder.js";
