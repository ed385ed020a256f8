import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { Runner } from "./command/command.js";
import { archiveCommand } from "./commands/archive.js";
import { backupCommand } from "./commands/backup.js";
import { completionCommand, idsCommand } from "./commands/completion.js";
import { doctorCommand } from "./commands/doctor.js";
import { exportCommand } from "./commands/export.js";
import { forkCommand } from "./commands/fork.js";
import { importCommand } from "./commands/import.js";
import { lsCommand } from "./commands/ls.js";
import { migrateCommand } from "./commands/migrate.js";
import { revertCommand } from "./commands/revert.js";
import { rmCommand } from "./commands/rm.js";
import { searchCommand } from "./commands/search.js";
import { showCommand } from "./commands/show.js";
import { snapshotCommand } from "./commands/snapshot.js";
import { statsCommand } from "./commands/stats.js";
import { tailCommand } from "./commands/tail.js";
import { treeCommand } from "./commands/tree.js";

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

const ENVIRONMENT = `
Which store: --store, else SESSIONS_STORE, else sessions.config.{ts,js,json}
in this folder or above, else ./sessions.

  file:./sessions           sqlite:./sessions.db       memory:
  redis://host:6379/0       redis+cluster://a:1,b:2    redis+sentinel://a:1/name

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 damage or a
difference was found, 5 refused, 6 the store cannot be used now, 130 stopped.`;

/** All commands. */
const COMMANDS = [
  lsCommand,
  showCommand,
  tailCommand,
  searchCommand,
  treeCommand,
  forkCommand,
  snapshotCommand,
  revertCommand,
  archiveCommand,
  rmCommand,
  exportCommand,
  importCommand,
  migrateCommand,
  backupCommand,
  doctorCommand,
  statsCommand,
  completionCommand,
];

/** The program with all commands. */
export function programOf(run: Runner): Command {
  const program = new Command("sessions")
    .description("Looks at, moves, repairs and backs up the sessions of agents and bots, on any store.")
    .version(version)
    .option("-s, --store <url>", "the store, such as file:./sessions or sqlite:./sessions.db")
    .option("--json", "results for programs: one JSON value on each line")
    .addHelpText("after", ENVIRONMENT);
  for (const make of COMMANDS) program.addCommand(make(run));
  program.addCommand(idsCommand(run), { hidden: true });
  return program;
}
