import { parseArgs } from "node:util";
import { numberOption, storeModule, wholeNumberOption } from "run-tools";
import { SERVER_LAYOUTS, type ServerLayout } from "./stores/chaos-store.js";
import { stores } from "./stores/index.js";
import { targets } from "./target.js";
import { BUSY_MODES, type BusyMode } from "./turns/update.js";
import type { TargetName } from "./worker/worker-task.js";

/** The options of a run. */
export interface Options {
  readonly target: TargetName;
  readonly store: string;
  readonly servers: ServerLayout;
  /** The module of the store. */
  readonly module: string;
  readonly seed: number;
  readonly writers: number;
  /** When to stop. Always set if `kills` is not. */
  readonly minutes: number | undefined;
  readonly kills: number | undefined;
  readonly pauseMs: number;
  readonly fullDisk: boolean;
  readonly clockSteps: boolean;
  readonly modes: readonly BusyMode[];
  readonly links: boolean;
  readonly json: boolean;
  readonly keep: boolean;
}

export const HELP: string = `Usage: npm run chaos [-- options]

Processes share a store while they are killed and paused, the disk fills, and clocks jump. Then the log of every call
is held against the contract. Exit code 1: a guarantee was broken, and the log is kept.

  --target NAME     store: calls of its own; bots: bot sessions in all four busy modes; agents: turns of managed agents
                    (default store)
  --store NAME      ${Object.keys(stores).join(", ")}; or the path of a module that exports open(folder, clock) (default json-file)
  --servers NAME    of redis: one; sentinel: a primary with a replica and three Sentinels; cluster: three primaries with a
                    replica each (default one)
  --minutes N       how long (default 1, without --kills)
  --kills N         until so many processes were killed
  --writers N       processes at work, at least 2 (default 4; bots and agents 3)
  --seed N          repeats what was tried and when; the machine decides the rest (default: a new one, printed)
  --pause-ms N      how long a process stands still: longer than locks count as held (default 11000)
  --no-full-disk    leaves the data on the real disk; otherwise on a small one in memory, if that can be mounted
  --no-clock-steps  leaves clocks alone
  --modes LIST      busy modes of the bots (default ${BUSY_MODES.join()})
  --no-links        leaves users of bots unlinked
  --keep            keeps logs and data of a sound run too
  --json            prints the report as JSON
  --help            prints this`;

/** Reads the command line; `undefined` if it asks for help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string", default: "store" },
      store: { type: "string", default: "json-file" },
      servers: { type: "string", default: "one" },
      minutes: { type: "string" },
      kills: { type: "string" },
      writers: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      "pause-ms": { type: "string", default: "11000" },
      "no-full-disk": { type: "boolean", default: false },
      "no-clock-steps": { type: "boolean", default: false },
      modes: { type: "string", default: BUSY_MODES.join() },
      "no-links": { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const target = targetName(values.target);
  const kills = optionalNumber("kills", values.kills, 1);
  const minutes = optionalNumber("minutes", values.minutes, 0);
  return {
    target,
    store: values.store,
    servers: serverLayout(values.servers),
    module: storeModule(stores, values.store),
    seed: wholeNumberOption("seed", values.seed, 0),
    writers: wholeNumberOption("writers", values.writers ?? String(targets[target].writers), 2),
    kills,
    minutes: minutes ?? (kills === undefined ? 1 : undefined),
    pauseMs: wholeNumberOption("pause-ms", values["pause-ms"], 1),
    fullDisk: !values["no-full-disk"],
    clockSteps: !values["no-clock-steps"],
    modes: busyModes(values.modes),
    links: !values["no-links"],
    json: values.json,
    keep: values.keep,
  };
}

function targetName(text: string): TargetName {
  if (text === "store" || text === "bots" || text === "agents") return text;
  throw new Error(`--target: "${text}" is none of ${Object.keys(targets).join(", ")}`);
}

function serverLayout(text: string): ServerLayout {
  const layout = SERVER_LAYOUTS.find((known) => known === text);
  if (layout !== undefined) return layout;
  throw new Error(`--servers: "${text}" is none of ${SERVER_LAYOUTS.join(", ")}`);
}

function busyModes(text: string): readonly BusyMode[] {
  return text.split(",").map((name) => {
    const mode = BUSY_MODES.find((busyMode) => busyMode === name);
    if (mode !== undefined) return mode;
    throw new Error(`--modes: "${name}" is none of ${BUSY_MODES.join(", ")}`);
  });
}

function optionalNumber(name: string, text: string | undefined, min: number): number | undefined {
  return text === undefined ? undefined : numberOption(name, text, min);
}
