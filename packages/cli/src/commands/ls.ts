import type { ResolvedStore } from "@sessions/config";
import type { ListOrder, SessionStore, SessionSummary } from "@sessions/protocol";
import { type Command, Option } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { label, pointInTime, positiveNumber } from "../command/parse-arguments.js";
import { ageOf } from "../render/age.js";
import { countedAre } from "../render/counted.js";
import { type DamagedSession, damagedSessions } from "../sessions/all-sessions.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { table } from "../terminal/table.js";

const ORDERS: readonly ListOrder[] = [
  "updated-desc",
  "updated-asc",
  "created-desc",
  "created-asc",
  "id-asc",
  "id-desc",
];

interface LsOptions {
  readonly label?: Readonly<Record<string, string>>;
  readonly parent?: string;
  readonly since?: number;
  readonly order: ListOrder;
  readonly limit: number;
  readonly all?: boolean;
}

/** `sessions ls`. */
export function lsCommand(run: Runner): Command {
  return command("ls", "lists sessions, the last used first", [
    "ls",
    "ls --label user=42 --since 7d",
    "ls --all --json | jq -r .id",
  ])
    .option("-l, --label <key=value>", "only with this label (repeatable)", label)
    .option("--parent <id>", "only forks of this session")
    .option("--since <time>", "only changed since a date, or since 90m, 12h, 7d ago", pointInTime)
    .addOption(new Option("--order <order>", "how they are ordered").choices(ORDERS).default("updated-desc"))
    .option("-n, --limit <n>", "at most this many", positiveNumber, 50)
    .option("--all", "all of them")
    .addHelpText("after", "\nA complete list has damaged sessions too, at its end.")
    .action((options: LsOptions, self: Command) => run(self, (context) => list(context, options)));
}

async function list(context: CommandContext, options: LsOptions): Promise<void> {
  const { terminal, json } = context;
  const resolved = await context.resolve();
  const store = await context.opened(resolved, "existing");
  const { found, more } = await listed(context, store, options);
  const isFiltered = [options.label, options.parent, options.since].some((filter) => filter !== undefined);
  // Which labels a damaged session has, or when it changed, cannot be told.
  const damaged = more || isFiltered ? [] : await damagedBeside(context, resolved, store, found);
  if (json) return;
  await terminal.print(...sessionTable(found, damaged, terminal.columns, terminal.style));
  if (more) terminal.note(terminal.noteStyle.dim(`The first ${found.length}. --all lists them all.`));
  if (damaged.length > 0)
    terminal.note(
      terminal.noteStyle.bad(`${countedAre(damaged.length, "session")} damaged: see "sessions doctor".`),
    );
  if (found.length + damaged.length === 0) terminal.note("No sessions.");
}

/** Lists sessions, and prints them at once with --json. */
async function listed(
  { terminal, json, signal }: CommandContext,
  store: SessionStore,
  options: LsOptions,
): Promise<{ readonly found: readonly SessionSummary[]; readonly more: boolean }> {
  const found: SessionSummary[] = [];
  const listing = store.listSessions({
    labels: options.label,
    parent: options.parent,
    updatedSince: options.since,
    order: options.order,
    limit: options.all === true ? 1000 : Math.min(options.limit + 1, 1000),
    signal,
  });
  for await (const session of listing) {
    if (options.all !== true && found.length === options.limit) return { found, more: true };
    if (json) await terminal.printJson(session);
    found.push(session);
  }
  return { found, more: false };
}

/** The damaged sessions beside a complete list. */
async function damagedBeside(
  { terminal, json, signal }: CommandContext,
  resolved: ResolvedStore,
  store: SessionStore,
  found: readonly SessionSummary[],
): Promise<readonly DamagedSession[]> {
  const damaged: DamagedSession[] = [];
  for await (const each of damagedSessions(resolved, store, new Set(found.map(({ id }) => id)))) {
    signal.throwIfAborted();
    const { sessionId: id, place, problem } = each;
    if (json)
      await terminal.printJson({ ...(id === undefined ? {} : { id }), damaged: true, place, problem });
    damaged.push(each);
  }
  return damaged;
}

function sessionTable(
  sessions: readonly SessionSummary[],
  damaged: readonly DamagedSession[],
  columns: number,
  { bold, name, dim }: { readonly [kind in "bold" | "name" | "dim"]: (text: string) => string },
): readonly string[] {
  if (sessions.length + damaged.length === 0) return [];
  const now = Date.now();
  const rows = sessions.map((session) => [
    stripControlsLine(session.id),
    stripControlsLine(session.title ?? ""),
    String(session.messageCount),
    ageOf(session.updatedAt, now),
    stripControlsLine(remarks(session)),
  ]);
  const unreadable = damaged.map(({ sessionId, place }) => [
    stripControlsLine(sessionId ?? place),
    "",
    "?",
    "?",
    "damaged",
  ]);
  return table(
    [
      { title: "ID", least: 16, style: name },
      { title: "TITLE", least: 8 },
      { title: "MESSAGES", align: "right" },
      { title: "UPDATED", align: "right" },
      { title: "", least: 6, style: dim },
    ],
    [...rows, ...unreadable],
    columns,
    bold,
  );
}

function remarks({ turn, parent, labels }: SessionSummary): string {
  return [
    ...(turn === undefined ? [] : [turn.status === "running" ? "answering" : "cut off"]),
    ...(parent === undefined ? [] : ["fork"]),
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
  ].join(" ");
}
