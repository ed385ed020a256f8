import type { ListOrder, SessionSummary } from "@sessions/protocol";
import { type Command, Option } from "commander";
import { command, type Runner } from "../command/command.js";
import { label, pointInTime, positiveNumber } from "../command/parse-arguments.js";
import { ageOf } from "../render/age.js";
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
    .option("--since <time>", "only changed since: a date, or 90m, 12h, 7d", pointInTime)
    .addOption(new Option("--order <order>", "how they are ordered").choices(ORDERS).default("updated-desc"))
    .option("-n, --limit <n>", "at most so many", positiveNumber, 50)
    .option("--all", "all of them")
    .action((options: LsOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        const found: SessionSummary[] = [];
        let more = false;
        const listing = store.listSessions({
          labels: options.label,
          parent: options.parent,
          updatedSince: options.since,
          order: options.order,
          limit: options.all === true ? 1000 : Math.min(options.limit + 1, 1000),
          signal,
        });
        for await (const session of listing) {
          more = options.all !== true && found.length === options.limit;
          if (more) break;
          if (json) await terminal.printJson(session);
          found.push(session);
        }
        if (json) return;
        await terminal.print(...sessionTable(found, terminal.columns, terminal.style));
        if (more) terminal.note(terminal.noteStyle.dim(`The first ${found.length}. --all lists them all.`));
        if (found.length === 0) terminal.note("No sessions.");
      }),
    );
}

function sessionTable(
  sessions: readonly SessionSummary[],
  columns: number,
  { bold, name, dim }: { readonly [kind in "bold" | "name" | "dim"]: (text: string) => string },
): readonly string[] {
  if (sessions.length === 0) return [];
  const now = Date.now();
  const rows = sessions.map((session) => [
    stripControlsLine(session.id),
    stripControlsLine(session.title ?? ""),
    String(session.messageCount),
    ageOf(session.updatedAt, now),
    stripControlsLine(remarks(session)),
  ]);
  return table(
    [
      { title: "ID", least: 16, style: name },
      { title: "TITLE", least: 8 },
      { title: "MESSAGES", align: "right" },
      { title: "UPDATED", align: "right" },
      { title: "", least: 6, style: dim },
    ],
    rows,
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
