import { parseArgs } from "node:util";

/** The options of a run. */
export interface Options {
  readonly updates: number;
  readonly users: number;
  readonly workers: number;
  readonly kills: number;
  /** The number of concurrent deliveries. */
  readonly atOnce: number;
  readonly seed: number;
  /** The store, in the form of SESSIONS_STORE. Absent: a new folder. */
  readonly store: string | undefined;
  readonly keep: boolean;
  readonly json: boolean;
}

export const HELP: string = `Usage: npm run bot-workers [-- options]

A bot with several worker processes behind one webhook. A platform delivers updates in bursts, out of order and some of
them several times, and workers are killed in the middle of their answers. Then every update is looked for in the
store. Exit code 1: one was lost or answered twice.

  --updates N   how many (default 10000)
  --users N     how many people send them (default 200)
  --workers N   processes that answer (default 4)
  --kills N     workers killed on the way (default 20)
  --at-once N   deliveries under way at once (default 48)
  --seed N      repeats what is delivered, and when; the machine decides the rest (default: a new one, printed)
  --store URL   keeps the sessions in this store, such as sqlite:./bot.db or redis://localhost, beside what is there
                (default: what SESSIONS_STORE says, or else a temporary folder of JSON files)
  --keep        keeps the sessions afterwards
  --json        prints the report as JSON
  --help        prints this`;

/** Reads the command line; `undefined` if it asks for help. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      updates: { type: "string", default: "10000" },
      users: { type: "string", default: "200" },
      workers: { type: "string", default: "4" },
      kills: { type: "string", default: "20" },
      "at-once": { type: "string", default: "48" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      store: { type: "string", default: env["SESSIONS_STORE"] ?? "" },
      keep: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    updates: whole("updates", values.updates, 1),
    users: whole("users", values.users, 1),
    workers: whole("workers", values.workers, 1),
    kills: whole("kills", values.kills, 0),
    atOnce: whole("at-once", values["at-once"], 1),
    seed: whole("seed", values.seed, 0),
    store: values.store === "" ? undefined : values.store,
    keep: values.keep,
    json: values.json,
  };
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number of at least ${least}`);
  return value;
}
