/** `npm run faults`: each system call of each operation fails once, and the answers and the data are judged. */
import { runProgram } from "run-tools";
import { HELP, readOptions } from "./options.js";
import { runFaults } from "./run-faults.js";
import { table } from "./table.js";

await runProgram({ help: HELP, readOptions, run: runFaults, table });
