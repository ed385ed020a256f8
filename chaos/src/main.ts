/** `npm run chaos`: several processes use one store while they are disturbed, and the log of their calls is judged. */
import { runProgram } from "run-tools";
import { HELP, readOptions } from "./options.js";
import { runChaos } from "./run-chaos.js";
import { table } from "./table.js";

await runProgram({ help: HELP, readOptions, run: runChaos, table });
