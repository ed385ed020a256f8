export { EXIT } from "./exit-code.js";
export { runCli } from "./run-cli.js";
export type { SignalSource } from "./stop.js";
export type { ProcessParts } from "./terminal/terminal.js";
