/** `npm run bench`: what grows with a session and what must not, as ratios within one run. */
import { parseArgs } from "node:util";
import { appendRows } from "./append.js";
import { concurrentRows } from "./concurrent.js";
import { type Row, table } from "./row.js";

const HELP = `Usage: npm run bench [-- --json] [-- --runs N]

  --runs N   how often each measurement is repeated; the median counts (default 9)
  --json     prints the rows as JSON
  --help     prints this`;

const { values: flags } = parseArgs({
  options: { json: { type: "boolean" }, help: { type: "boolean" }, runs: { type: "string", default: "9" } },
});

if (flags.help === true) console.log(HELP);
else await bench(Number(flags.runs), flags.json === true);

async function bench(runs: number, json: boolean): Promise<void> {
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error("--runs must be a whole number of at least 1");
  const rows: readonly Row[] = [...appendRows(runs), ...(await concurrentRows(runs))];
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
  if (rows.some((row) => !row.met)) process.exitCode = 1;
}
