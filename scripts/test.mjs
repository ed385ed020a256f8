/** `npm test`: see `help`. */
import { tmpdir } from "node:os";
import { bootstrap } from "./bootstrap/bootstrap.mjs";
import { memoryFolder } from "./bootstrap/memory-folder.mjs";
import { checks } from "./checks/checks.mjs";
import { checkTable } from "./checks/report-checks.mjs";
import { withUnrunChecks } from "./checks/with-unrun-checks.mjs";
import { failureLog } from "./run/failure-log.mjs";
import { main } from "./run/main.mjs";
import { runLanes, runTurbo } from "./run/run-turbo.mjs";
import { taskLogs } from "./run/task-log.mjs";
import { forgetReports } from "./run/test-reports.mjs";
import { testSummary } from "./run/test-summary.mjs";
import { workspaceFolders } from "./workspace.mjs";

const help = `npm test: everything that must hold, on a machine with only Node and npm

  1. gets the pinned pnpm into .tools/ (once), and a redis-server, a Chromium and a C compiler, if the machine has
     none and REDIS_SERVER_BIN, CHROMIUM_BIN and CC name none; nothing is installed on the machine
  2. installs exactly what pnpm-lock.yaml lists
  3. builds every package, runs every check and every test; what has not changed since
     the last time comes from the cache in .turbo/. Temporary files are in memory (/dev/shm),
     if there is room and TMPDIR says nothing else; json-file and SQLite pass the kit on the disk
  4. prints the output of what failed, a table, and the sum as the last line

  npm test -- --force    runs everything again, without the cache
  npm test -- --verbose  prints the output of everything, not only of what failed
  npm test -- --help     this text`;

/** Whose tests take longest. */
const LONGEST = [
  "@sessions/json-file",
  "@sessions/redis",
  "@sessions/sqlite",
  "@sessions/cli",
  "@sessions/bot-session",
  "chaos",
];

await main(async (args) => {
  if (args.includes("--help")) return say([help]);
  const started = Date.now();
  const env = await bootstrap((step) => say([`${step} …`]), { redis: true, browser: true, compiler: true });
  forgetReports([...workspaceFolders(), "scripts"]);
  const options = {
    force: args.includes("--force"),
    onStart: (task) => say([`running ${task} …`]),
  };
  const ran = await withMemoryFolder(env, (env) => runAll({ ...options, env }));
  const outcomes = withUnrunChecks(ran);
  if (args.includes("--verbose"))
    say(
      taskLogs(
        outcomes.filter((outcome) => outcome.ok),
        String,
      ),
    );
  const summary = testSummary(outcomes, Date.now() - started);
  say([...failureLog(outcomes), "", "checks", ...checkTable(outcomes), "", ...summary.lines]);
  return summary.ok ? 0 : 1;
});

/** Builds everything. Then what takes longest begins at once, and all else runs beside it. */
async function runAll(options) {
  const built = await runTurbo(["build"], options);
  if (built.some(({ ok }) => !ok)) return built;
  const tasks = [...checks.values(), "test"];
  const others = LONGEST.map((name) => `!${name}`);
  const ran = await runLanes(
    [
      { tasks, filters: LONGEST, concurrency: 2 },
      { tasks: [...tasks, "test:scripts"], filters: others, concurrency: 2 },
    ],
    options,
  );
  return [...built, ...ran];
}

/** Runs `use` with temporary files in memory where that can be. `DISK_TMPDIR` is where they would be on the disk. */
async function withMemoryFolder(env, use) {
  const folder = env.TMPDIR ? undefined : memoryFolder();
  if (folder === undefined) return use(env);
  try {
    return await use({ ...env, TMPDIR: folder.path, DISK_TMPDIR: tmpdir() });
  } finally {
    folder.remove();
  }
}

function say(lines) {
  console.log(lines.join("\n"));
}
