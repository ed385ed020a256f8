import type { Command } from "commander";
import { command, type Runner } from "../command.js";
import type { CommandContext } from "../command-context.js";
import { type Examined, examineAll } from "../doctor/examine.js";
import { type Repaired, repairSession } from "../doctor/repair.js";
import { CommandError, EXIT } from "../exit-code.js";
import { counted, countedAre } from "../render/counted.js";
import { harmlessLine } from "../terminal/harmless.js";
import { Progress } from "../terminal/progress.js";
import { wrapped } from "../terminal/width.js";

interface DoctorOptions {
  readonly fix?: boolean;
  readonly yes?: boolean;
}

/** `sessions doctor`. */
export function doctorCommand(run: Runner): Command {
  return command("doctor", "checks everything in a store, and repairs by copy", [
    "doctor",
    "doctor --fix",
    "doctor --json | jq .damaged",
  ])
    .option("--fix", "saves what can be saved of damaged sessions; nothing is thrown away")
    .option("-y, --yes", "does not ask")
    .addHelpText("after", "\nWithout --fix nothing is changed. Traces of crashes are benign: nothing to do.")
    .action((options: DoctorOptions, self: Command) => run(self, (context) => doctor(context, options)));
}

type Damaged = Examined & { readonly repaired?: Repaired };

async function doctor(context: CommandContext, { fix = false, yes = false }: DoctorOptions): Promise<void> {
  const { terminal, signal, json } = context;
  const resolved = await context.resolve();
  const tools = await resolved.tools();
  const store = await context.opened(resolved, "read-only");
  const { healthy, warnings } = await store.describe();
  const progress = new Progress(terminal, "checking");
  const found: { sessions: number; benign: Examined[]; damaged: Damaged[] } = {
    sessions: 0,
    benign: [],
    damaged: [],
  };
  for await (const examined of examineAll(store, tools, signal)) {
    progress.advance();
    found.sessions++;
    if (examined.status !== "sound") found[examined.status].push(examined);
  }
  progress.end();
  await context.close();
  const reopen = async <Result>(work: (opened: typeof store) => Promise<Result>): Promise<Result> => {
    const opened = await context.opened(resolved, "existing");
    try {
      return await work(opened);
    } finally {
      await context.close();
    }
  };
  if (fix && found.damaged.length > 0) {
    await context.confirm(
      `Repair ${counted(found.damaged.length, "damaged session")}? Stop every program that uses this store first.`,
      yes,
    );
    for (const [at, damaged] of found.damaged.entries()) {
      signal.throwIfAborted();
      if (damaged.sessionId === undefined) continue;
      found.damaged[at] = { ...damaged, repaired: await repairSession(damaged.sessionId, tools, reopen) };
    }
  }
  const rebuilt = fix ? ((await tools.rebuild?.()) ?? []) : [];
  if (json) await terminal.printJson({ healthy, warnings: warnings.filter(isNews), rebuilt, ...found });
  else
    await tell(
      context,
      found,
      [...(healthy ? [] : ["The store is not healthy."]), ...warnings.filter(isNews), ...rebuilt],
      fix,
    );
  const left = found.damaged.filter(
    ({ repaired }) => repaired?.status !== "restored" && repaired?.status !== "saved",
  );
  if (left.length > 0 || !healthy)
    throw new CommandError(
      left.length === 0
        ? "The store is not healthy."
        : fix
          ? `${counted(left.length, "session")} could not be saved. Restore from a backup.`
          : `${countedAre(left.length, "session")} damaged. --fix saves what can be saved.`,
      EXIT.damaged,
    );
}

/** It was this command that asked for a store that nobody can change. */
const isNews = (warning: string): boolean => !warning.includes("option readOnly says so");

async function tell(
  { terminal }: CommandContext,
  {
    sessions,
    benign,
    damaged,
  }: {
    readonly sessions: number;
    readonly benign: readonly Examined[];
    readonly damaged: readonly Damaged[];
  },
  remarks: readonly string[],
  fix: boolean,
): Promise<void> {
  const { style, columns } = terminal;
  const say = (text: string, indent = "  "): Promise<void> =>
    terminal.print(...wrapped(harmlessLine(text), columns - indent.length).map((line) => indent + line));
  for (const remark of remarks) await say(remark, "");
  for (const { sessionId, place, findings, messages, repaired } of damaged) {
    await terminal.print(style.bad(harmlessLine(`Damaged: ${sessionId ?? place ?? "?"}`)));
    for (const { detail, location, severity } of findings)
      await say(
        `${severity === "harmful" ? "" : "(harmless) "}${detail}${location === undefined || detail.includes(location) ? "" : `, in ${location}`}`,
      );
    await say(`${counted(messages, "message")} can be read without repair.`);
    if (repaired !== undefined) await say(repaired.told);
  }
  if (benign.length > 0) {
    const traces = benign.reduce((sum, { findings }) => sum + findings.length, 0);
    await say(
      `${counted(traces, "trace")} of crashes or of paused processes in ${counted(benign.length, "session")}. That is harmless.`,
      "",
    );
  }
  const repaired = damaged.filter(
    (each) => each.repaired?.status === "restored" || each.repaired?.status === "saved",
  ).length;
  const after = repaired === 0 ? "" : ` ${counted(repaired, "session")} could be saved.`;
  await terminal.print(
    damaged.length === 0
      ? style.good(`All ${sessions} sessions are sound.`)
      : `${sessions - damaged.length} of ${sessions} sessions ${fix ? "were" : "are"} sound.${after}`,
  );
}
