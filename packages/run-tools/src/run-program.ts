import { inspect } from "node:util";
import { ProgressLine } from "./progress-line.js";

const INTERRUPTED_EXIT_CODE = 130;

/** A program that makes one run, prints a report and ends with a verdict. */
interface RunProgram<Options extends { readonly json: boolean }, Report> {
  readonly help: string;
  /** Reads the command line. `undefined` if it asks for help. */
  readonly readOptions: (args: readonly string[]) => Options | undefined;
  readonly run: (options: Options, progress: ProgressLine, signal: AbortSignal) => Promise<Report>;
  /** The report as text. With `--json` the report itself is printed. */
  readonly table: (report: Report) => string;
}

interface Verdict {
  readonly verdict: "sound" | "violated" | "interrupted";
}

/** Runs the program in this process. Sets the exit code: 1 for a violation or a failure, 130 after a signal. */
export async function runProgram<Options extends { readonly json: boolean }, Report extends Verdict>(
  program: RunProgram<Options, Report>,
): Promise<void> {
  try {
    const options = program.readOptions(process.argv.slice(2));
    if (options === undefined) process.stdout.write(`${program.help}\n`);
    else await runWith(options, program);
  } catch (error) {
    // The message of a plain Error says everything. Any other class is a bug: print its stack too.
    process.stderr.write(`${error instanceof Error && isPlain(error) ? error.message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}

function isPlain(error: Error): boolean {
  return error.constructor === Error || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
}

async function runWith<Options extends { readonly json: boolean }, Report extends Verdict>(
  options: Options,
  { run, table }: RunProgram<Options, Report>,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const progress = new ProgressLine(process.stderr);
  const report = await run(options, progress, stop.signal);
  progress.clear();
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : table(report)}\n`);
  if (report.verdict === "violated") process.exitCode = 1;
  if (report.verdict === "interrupted") process.exitCode = INTERRUPTED_EXIT_CODE;
}
