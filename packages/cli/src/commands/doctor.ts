import type { ResolvedStore, StoreTools } from "@sessions/config";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { type Examined, examineAll } from "../doctor/examine.js";
import { type Reopen, repairSession } from "../doctor/repair.js";
import { type Damaged, type Examination, reportFindings } from "../doctor/report-findings.js";
import { counted } from "../render/counted.js";
import { Progress } from "../terminal/progress.js";

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

async function doctor(context: CommandContext, { fix = false, yes = false }: DoctorOptions): Promise<void> {
  const resolved = await context.resolve();
  const tools = await resolved.tools();
  const examination = await examined(context, resolved, tools);
  const { damaged } = examination;
  if (fix && damaged.length > 0) {
    const question = `Repair ${counted(damaged.length, "damaged session")}?`;
    await context.confirm(`${question} Stop every program that uses this store first.`, yes);
  }
  const repaired = fix ? await repairedAll(context, resolved, tools, damaged) : damaged;
  const rebuilt = fix ? ((await tools.rebuild?.()) ?? []) : [];
  const quarantine = tools.quarantined?.();
  const kept = quarantine !== undefined && quarantine.entries > 0 ? { quarantine } : {};
  await reportFindings(context, { ...examination, damaged: repaired, rebuilt, ...kept }, fix);
}

/** Examines every session and closes the store, because a session can be quarantined only while no store has it open. */
async function examined(
  context: CommandContext,
  resolved: ResolvedStore,
  tools: StoreTools,
): Promise<Examination> {
  const store = await context.opened(resolved, "read-only");
  const { healthy, warnings } = await store.describe();
  const found = { sessions: 0, benign: [] as Examined[], damaged: [] as Examined[] };
  const progress = new Progress(context.terminal, "checking");
  for await (const each of examineAll(store, tools, context.signal)) {
    progress.advance();
    found.sessions++;
    if (each.status !== "sound") found[each.status].push(each);
  }
  progress.end();
  await context.close();
  return { healthy, warnings: warnings.filter(isNews), ...found };
}

/** False for the warning that the store is read-only, because this command opens it so. */
const isNews = (warning: string): boolean => !warning.includes("option readOnly says so");

async function repairedAll(
  context: CommandContext,
  resolved: ResolvedStore,
  tools: StoreTools,
  damaged: readonly Examined[],
): Promise<readonly Damaged[]> {
  const reopen: Reopen = async (work) => {
    const store = await context.opened(resolved, "existing");
    try {
      return await work(store);
    } finally {
      await context.close();
    }
  };
  const repaired: Damaged[] = [];
  for (const each of damaged) {
    context.signal.throwIfAborted();
    const { sessionId } = each;
    const repair = sessionId === undefined ? undefined : await repairSession(sessionId, tools, reopen);
    repaired.push({ ...each, ...(repair && { repaired: repair }) });
  }
  return repaired;
}
