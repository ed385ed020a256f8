import { parseArgs } from "node:util";
import { wholeNumberOption } from "run-tools";
import { CALLS, type SystemCall } from "./fault.js";
import { stores } from "./stores/index.js";

/** Longer than the deadline of any step. */
const SILENCE_MS = 45_000;

const storeNames = Object.keys(stores);

/** The options of a run. */
export interface Options {
  readonly stores: readonly string[];
  readonly seed: number;
  /** The number of combinations to try of each store; all of them if absent. */
  readonly sample: number | undefined;
  readonly only: string | undefined;
  readonly call: SystemCall | undefined;
  /** How long the process under test may report nothing before it counts as hung. */
  readonly silenceMs: number;
  readonly json: boolean;
}

export const HELP: string = `Usage: npm run faults [-- options]

Every operation is made again and again, and each time another of its system calls fails once. What callers are told
must be true: for a new store, after a kill, in another process, and after the retry that a user would make.
Exit code 1: somebody was told what is not so.

  --store NAME   ${storeNames.join(", ")}; or the path of a module that exports open(folder, options) and
                 interleavesWriters (default: ${storeNames.join(" and ")}, one after the other)
  --sample N     so many combinations of each store, chosen by the seed (default: all of them)
  --seed N       chooses the sample (default: a new one, printed)
  --only TEXT    only operations whose name contains this
  --call NAME    only this system call: ${CALLS.join(", ")}
  --silence-ms N how long the process under test may say nothing before it counts as hung (default ${SILENCE_MS})
  --json         prints the report as JSON
  --help         prints this`;

/** Reads the command line; `undefined` if it asks for help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      store: { type: "string" },
      sample: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      only: { type: "string" },
      call: { type: "string" },
      "silence-ms": { type: "string", default: String(SILENCE_MS) },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    stores: values.store === undefined ? storeNames : [values.store],
    sample: values.sample === undefined ? undefined : wholeNumberOption("sample", values.sample, 1),
    seed: wholeNumberOption("seed", values.seed, 0),
    only: values.only,
    call: values.call === undefined ? undefined : systemCall(values.call),
    silenceMs: wholeNumberOption("silence-ms", values["silence-ms"], 1),
    json: values.json,
  };
}

function systemCall(text: string): SystemCall {
  const call = CALLS.find((one) => one === text);
  if (call === undefined) throw new Error(`--call: "${text}" is none of ${CALLS.join(", ")}`);
  return call;
}
