/** `npm run bench`: measures costs as ratios within one run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { allMeasurements } from "./all-measurements.js";
import { inOwnProcess } from "./in-own-process.js";
import { machineOf } from "./machine.js";
import type { Measurement } from "./measurement.js";
import { HELP, type Options, readOptions } from "./options.js";
import { Progress } from "./progress.js";
import { machineLine, page } from "./report/page.js";
import { plot } from "./report/plot.js";
import { table } from "./report/table.js";
import { runMeasurements } from "./run-measurements.js";
import { UsageError } from "./usage-error.js";
import { WorkFolder } from "./work-folder.js";

const DOCS = new URL("../../docs/benchmarks/", import.meta.url);

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(HELP);
  else await bench(options);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function bench({ runs, only, folder, json, write }: Options): Promise<void> {
  using work = new WorkFolder(folder);
  const machine = machineOf(work.path);
  const rows = await measured(chosen(only), runs, work);
  console.log(
    json ? JSON.stringify({ machine, rows }, null, 2) : `${machineLine(machine)}\n\n${table(rows)}`,
  );
  if (write) writeDocs({ "README.md": page(machine, runs, rows), "ratios.svg": plot(rows) });
  if (rows.some((row) => !row.met)) process.exitCode = 1;
}

function chosen(only: string): readonly Measurement[] {
  const some = allMeasurements.filter(({ work }) => work.includes(only));
  if (some.length > 0) return some.map(inOwnProcess);
  throw new UsageError(
    `No row has "${only}" in its name. There are:\n${allMeasurements.map(({ work }) => work).join("\n")}`,
  );
}

async function measured(measurements: readonly Measurement[], runs: number, work: WorkFolder) {
  using progress = new Progress(process.stderr);
  return await runMeasurements(measurements, runs, work, progress);
}

function writeDocs(files: Readonly<Record<string, string>>): void {
  mkdirSync(DOCS, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, DOCS), text);
}
