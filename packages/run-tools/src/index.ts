export { markdownTable, type TableRow } from "./markdown-table.js";
export { numberOption, wholeNumberOption } from "./number-option.js";
export { ProgramRun } from "./program-run.js";
export { ProgressLine } from "./progress-line.js";
export { Random } from "./random.js";
export { runProgram } from "./run-program.js";
export { SilenceAlarm } from "./silence-alarm.js";
export { within } from "./within.js";
