export * from "../history/index.js";
export { Paused } from "./paused.js";
export { Recorder, sharedClock } from "./recorder.js";
