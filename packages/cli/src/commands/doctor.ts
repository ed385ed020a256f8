import type { ResolvedStore, StoreTools } from "@sessions/config";
import { SessionError, type SessionStore } from "@sessions/protocol";
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
  return command("doctor", "checks every session, and repairs damaged ones", [
    "doctor",
    "doctor --fix",
    "doctor --json | jq .damaged",
  ])
    .option("--fix", "saves what can be read of damaged sessions; nothing is thrown away")
    .option("-y, --yes", "does not ask")
    .addHelpText(
      "after",
      "\nWithout --fix nothing is changed. What crashes leave behind is counted as benign\nand needs no repair.",
    )
    .action((options: DoctorOptions, self: Command) => run(self, (context) => doctor(context, options)));
}

async function doctor(context: CommandContext, { fix = false, yes = false }: DoctorOptions): Promise<void> {
  const resolved = await context.resolve({ warn: false }); // they are in the report
  const tools = await resolved.tools();
  let examination = await examined(context, resolved, tools);
  const { damaged, problems } = examination;
  if (fix && damaged.length + problems.length > 0) {
    const what = [
      ...(damaged.length > 0 ? [counted(damaged.length, "damaged session")] : []),
      ...(problems.length > 0 ? ["the index"] : []),
    ].join(" and ");
    await context.confirm(`Repair ${what}? Stop every program that uses this store first.`, yes);
  }
  const rebuilt = fix ? ((await tools.rebuild?.()) ?? []) : [];
  // Only now can a store be opened whose index was not there; what was found before is told all the same.
  if (fix && problems.length > 0)
    examination = afterRebuild(await examined(context, resolved, tools), damaged);
  const repaired = fix
    ? await repairedAll(context, resolved, tools, examination.damaged)
    : examination.damaged;
  const quarantine = tools.quarantined?.();
  const kept = quarantine !== undefined && quarantine.entries > 0 ? { quarantine } : {};
  await reportFindings(context, { ...examination, damaged: repaired, rebuilt, ...kept }, fix);
}

/** A session of which nothing is left is named although no index leads to it any more. */
function afterRebuild(now: Examination, before: readonly Examined[]): Examination {
  const named = new Set(now.damaged.map(({ sessionId }) => sessionId));
  const gone = before.filter(({ sessionId }) => !named.has(sessionId));
  return { ...now, damaged: [...now.damaged, ...gone] };
}

/** Examines every session and closes the store, because a session can be quarantined only while no store has it open. */
async function examined(
  context: CommandContext,
  resolved: ResolvedStore,
  tools: StoreTools,
): Promise<Examination> {
  const found = { sessions: 0, benign: [] as Examined[], damaged: [] as Examined[] };
  let store: SessionStore;
  try {
    store = await context.opened(resolved, "read-only");
  } catch (error) {
    const problems = SessionError.is(error, "DATA_LOST") ? ((await tools.problems?.()) ?? []) : [];
    if (problems.length === 0) throw error;
    return { healthy: false, warnings: [], problems, ...found };
  }
  const { healthy, warnings } = await store.describe();
  const problems = (await tools.problems?.()) ?? [];
  const progress = new Progress(context.terminal, "checking");
  context.whenStopped(
    () =>
      `${counted(found.sessions, "session")} had been checked. Nothing was changed. Run the same command again.`,
  );
  for await (const each of examineAll(store, tools, context.signal)) {
    progress.advance();
    found.sessions++;
    if (each.status !== "sound") found[each.status].push(each);
  }
  progress.end();
  await context.close();
  return { healthy, warnings: warnings.filter(isNews), problems, ...found };
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
  context.whenStopped(
    () =>
      `${repaired.length} of ${counted(damaged.length, "damaged session")} had been repaired, the others are as they were. Run the same command again to repair them.`,
  );
  for (const each of damaged) {
    context.signal.throwIfAborted();
    const { sessionId } = each;
    const repair = sessionId === undefined ? undefined : await repairSession(sessionId, tools, reopen);
    repaired.push({ ...each, ...(repair && { repaired: repair }) });
  }
  return repaired;
}
