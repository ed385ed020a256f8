import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.js";

export const HELP = `Usage: npm run bench -- [options]

  --runs N         how often each measurement is repeated; the median counts (default 9)
  --only TEXT      only rows with this in their name
  --folder PATH    where to measure (default: benchmarks/.data); a tmpfs would not tell much
  --json           prints the rows as JSON
  --write          also writes docs/benchmarks/
  --help           prints this

The exit code is 1 if a bar is missed. All of it takes some minutes.`;

export interface Options {
  readonly runs: number;
  readonly only: string;
  readonly folder: string;
  readonly json: boolean;
  readonly write: boolean;
  readonly help: boolean;
}

/** A folder on the disk of the repository, because a temporary folder is often in memory. */
const DATA = fileURLToPath(new URL("../.data/", import.meta.url));

const flag = { type: "boolean", default: false } as const;

const OPTIONS = {
  runs: { type: "string", default: "9" },
  only: { type: "string", default: "" },
  folder: { type: "string", default: DATA },
  json: flag,
  write: flag,
  help: flag,
} as const;

/** Throws an error that says what to do if the arguments are wrong. */
export function readOptions(args: readonly string[]): Options {
  const values = parsed(args);
  const runs = Number(values.runs);
  if (!Number.isSafeInteger(runs) || runs < 1)
    throw new UsageError("--runs must be a whole number of at least 1.");
  if (values.write && values.only !== "") throw new UsageError("--write writes all rows. Leave --only out.");
  return { ...values, runs };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
