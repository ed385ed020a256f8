/** `npm run faults`: every system call fails once; then a verdict. */
import { HELP, type Options, readOptions } from "./options.js";
import { ProgressLine } from "./progress-line.js";
import { runFaults } from "./run-faults.js";
import { table } from "./table.js";

const INTERRUPTED = 130;

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(HELP);
  else await main(options);
} catch (error) {
  // A plain Error says all there is to say. Any other kind is a mistake somewhere: show where.
  console.error(error instanceof Error && isPlain(error) ? error.message : error);
  process.exitCode = 1;
}

/** Of the command line, or of ours about it. */
function isPlain(error: Error): boolean {
  return error.constructor === Error || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
}

async function main(given: Options): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const progress = new ProgressLine(process.stderr);
  const report = await runFaults(given, progress, stop.signal);
  progress.clear();
  console.log(given.json ? JSON.stringify(report, null, 2) : table(report));
  if (report.verdict === "violated") process.exitCode = 1;
  if (report.verdict === "interrupted") process.exitCode = INTERRUPTED;
}
