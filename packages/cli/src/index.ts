export { EXIT } from "./command/exit-code.js";
export type { SignalSource } from "./command/stop-signals.js";
export { runCli } from "./run-cli.js";
export type { ProcessParts } from "./terminal/terminal.js";
