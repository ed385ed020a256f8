/** `npm run chaos`: several processes on one store, disturbed; then a verdict. */
import { runProgram } from "run-tools";
import { HELP, readOptions } from "./options.js";
import { runChaos } from "./run-chaos.js";
import { table } from "./table.js";

await runProgram({ help: HELP, readOptions, run: runChaos, table });
