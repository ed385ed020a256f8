import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";
import { runTethered } from "./run-tethered.mjs";

const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
const summaries = join(root, ".turbo", "runs");

/**
 * Runs turbo tasks and returns the outcome of each: `{ name, package, task, ok, cached, milliseconds, … }`. Other tasks run
 * although one has failed. `onStart` is called for every task that is not cached. `filter` names a package, whose dependencies'
 * tasks run too; `only` names all packages in which tasks run.
 */
export async function runTurbo(tasks, { env, filter, only = [], force = false, onStart }) {
  rmSync(summaries, { recursive: true, force: true });
  const options = ["--json", "--output-logs=new-only", "--summarize", "--continue=dependencies-successful"];
  // Local only, whatever a user's turbo settings say about a remote cache.
  const cache = force ? "--cache=local:w" : "--cache=local:rw";
  const command = [process.execPath, turbo, "run", ...tasks, ...options, cache];
  const packages = (filter ? [filter] : only).map((name) => `--filter=${name}`);
  const lines = new TurboLines(onStart);
  const alone = only.length > 0 ? ["--only"] : [];
  const { code, output } = await runTethered([...command, ...packages, ...alone], {
    env,
    onLine: (line) => lines.take(line),
  });
  const summary = readSummary();
  if (summary === undefined)
    throw new Error(`turbo ran nothing (exit code ${code}).\n${lines.own}\n${output}`);
  return summary.tasks.map(outcomeOf);
}

/** turbo writes one file per run; the folder was emptied before. */
function readSummary() {
  if (!existsSync(summaries)) return undefined;
  const [file] = readdirSync(summaries);
  return file === undefined ? undefined : JSON.parse(readFileSync(join(summaries, file), "utf8"));
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
