/** `npm run faults`: every system call fails once; then a verdict. */
import { runProgram } from "run-tools";
import { HELP, readOptions } from "./options.js";
import { runFaults } from "./run-faults.js";
import { table } from "./table.js";

await runProgram({ help: HELP, readOptions, run: runFaults, table });
