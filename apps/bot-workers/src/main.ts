/** `npm run bot-workers`: runs a bot under load while its workers are killed, and checks every update. */
import { SessionError } from "@sessions/json-file";
import { HELP, type Options, readOptions } from "./options.js";
import { ProgressLine } from "./progress-line.js";
import { runLoad } from "./run-load.js";
import { table } from "./table.js";

const INTERRUPTED = 130;

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) console.log(HELP);
  else await main(options);
} catch (error) {
  // The message of a plain Error is enough. Any other class is a bug, so the stack is printed.
  console.error(error instanceof Error && isPlain(error) ? error.message : error);
  process.exitCode = 1;
}

/** Whether it is an error of the command line, of a store, or a plain Error of this program. */
function isPlain(error: Error): boolean {
  const isUsage = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return error.constructor === Error || isUsage || SessionError.is(error);
}

async function main(options: Options): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const progress = new ProgressLine(process.stderr);
  const report = await runLoad(options, (text) => progress.say(text), stop.signal);
  progress.clear();
  console.log(options.json ? JSON.stringify(report, null, 2) : table(report));
  if (report.verdict === "violated") process.exitCode = 1;
  if (report.verdict === "interrupted") process.exitCode = INTERRUPTED;
}
