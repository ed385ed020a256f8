/** For integrations that write turns of their own: what a managed agent saves and follows its turns with. */
export { SessionFeed } from "./session-feed.js";
export { type CheckpointPlan, Checkpoints, type Growing } from "./turn/checkpoints.js";
export { isHeld } from "./turn/interruption.js";
export { type Patience, savePatiently } from "./turn/save-patiently.js";
