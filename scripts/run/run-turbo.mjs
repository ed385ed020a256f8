import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../root.mjs";
import { runTethered } from "./run-tethered.mjs";

const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
const summaries = join(root, ".turbo", "runs");

const lanesScript = fileURLToPath(new URL("side-by-side.mjs", import.meta.url));

/**
 * Runs turbo tasks and returns the outcome of each: `{ name, package, task, ok, cached, milliseconds, … }`. Other tasks run
 * although one has failed. `onStart` is called for every task that is not cached. `filter` names a package, whose dependencies'
 * tasks run too; `only` names all packages in which tasks run.
 */
export function runTurbo(tasks, { filter, only = [], ...options }) {
  const filters = filter ? [filter] : only;
  return runLanes([{ tasks, filters, withDependencies: only.length === 0 }], options);
}

/**
 * The same for several runs of turbo side by side, each with its own tasks, packages and `concurrency`: turbo begins tasks in no
 * particular order, so those that take longest get a lane of their own.
 */
export async function runLanes(lanes, { env, force = false, onStart }) {
  rmSync(summaries, { recursive: true, force: true });
  const lines = new TurboLines(onStart);
  const commands = lanes.map((lane) => turboCommand(lane, force));
  const { code, output } = await runTethered([process.execPath, lanesScript, JSON.stringify(commands)], {
    env,
    onLine: (line) => lines.take(line),
  });
  const ran = readSummaries();
  if (ran.length < lanes.length)
    throw new Error(`turbo ran nothing (exit code ${code}).\n${lines.own}\n${output}`);
  return ran.flatMap((summary) => summary.tasks.map(outcomeOf));
}

function turboCommand({ tasks, filters, withDependencies = false, concurrency }, force) {
  const options = ["--json", "--output-logs=new-only", "--summarize", "--continue=dependencies-successful"];
  // Local only, whatever a user's turbo settings say about a remote cache.
  const cache = force ? "--cache=local:w" : "--cache=local:rw";
  return [
    process.execPath,
    turbo,
    "run",
    ...tasks,
    ...options,
    cache,
    ...filters.map((name) => `--filter=${name}`),
    ...(withDependencies ? [] : ["--only"]),
    ...(concurrency === undefined ? [] : [`--concurrency=${concurrency}`]),
  ];
}

/** turbo writes one file per run; the folder was emptied before. */
function readSummaries() {
  if (!existsSync(summaries)) return [];
  return readdirSync(summaries).map((file) => JSON.parse(readFileSync(join(summaries, file), "utf8")));
}

function outcomeOf({ package: owner, task, directory, cache, execution, logFile }) {
  const { startTime = 0, endTime = 0, exitCode } = execution ?? {};
  return {
    name: owner === "//" ? task : `${owner} ${task}`,
    package: owner,
    task,
    folder: directory,
    // A task whose dependency failed is never started and has no exit code.
    skipped: exitCode === undefined,
    ok: exitCode === 0,
    cached: cache.status === "HIT",
    milliseconds: endTime - startTime,
    logFile: join(root, logFile),
  };
}

/** Reads turbo's JSON lines: its own messages, and the first line of each task. */
class TurboLines {
  own = "";
  #started = new Set();
  #onStart;

  constructor(onStart) {
    this.#onStart = onStart;
  }

  take(line) {
    const { source, text } = line.startsWith("{") ? JSON.parse(line) : { source: "turbo", text: line };
    if (source === "turbo") this.own += `${text}\n`;
    else if (!this.#started.has(source)) this.#start(source, text);
  }

  /** The first line of a task says whether it is cached. */
  #start(task, text) {
    this.#started.add(task);
    if (!text.startsWith("cache hit")) this.#onStart?.(task.replace("//#", "").replace("#", " "));
  }
}
