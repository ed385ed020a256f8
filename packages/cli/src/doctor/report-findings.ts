import type { Quarantined } from "@sessions/config";
import type { Finding } from "@sessions/protocol";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { allAre, counted, countedAre } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { wrapped } from "../terminal/width.js";
import type { Examined } from "./examine.js";
import type { Repaired } from "./repair.js";

/** A damaged session, and the result of its repair. */
export type Damaged = Examined & { readonly repaired?: Repaired };

/** The findings of a store. */
export interface Examination {
  readonly healthy: boolean;
  readonly warnings: readonly string[];
  /** What is wrong with the index. After a repair: what still is. */
  readonly problems: readonly string[];
  readonly sessions: number;
  readonly benign: readonly Examined[];
  readonly damaged: readonly Damaged[];
}

type Findings = Examination & {
  readonly rebuilt: readonly string[];
  /** What this repair and earlier ones have quarantined. */
  readonly quarantine?: Quarantined;
};

/** Prints what was found and saved. Throws, for the exit code, if damage is left or something is lost. */
export async function reportFindings(
  { terminal, json }: CommandContext,
  findings: Findings,
  fix: boolean,
): Promise<void> {
  const { healthy, warnings, problems, damaged, rebuilt } = findings;
  if (json) await terminal.printJson(findings);
  else {
    for (const remark of [...warnings, ...rebuilt]) await say(terminal, remark, "");
    for (const problem of problems) await terminal.print(terminal.style.bad(stripControlsLine(problem)));
    for (const each of damaged) await tellDamaged(terminal, each);
    await tellSum(terminal, findings, fix);
  }
  const left = damaged.filter((each) => !isMended(each)).length;
  if (left > 0 && fix)
    throw new CommandError(
      `${counted(left, "session")} could not be repaired completely. What is missing can only come from a backup.`,
      EXIT.damaged,
    );
  if (left > 0)
    throw new CommandError(
      `${countedAre(left, "session")} damaged. --fix saves what can be saved.`,
      EXIT.damaged,
    );
  if (problems.length > 0)
    throw new CommandError(
      fix
        ? "The index is still damaged."
        : "The index is damaged: lists may lack sessions. --fix builds it again.",
      EXIT.damaged,
    );
  if (!healthy) throw new CommandError("The store is not healthy: see the warnings above.", EXIT.damaged);
}

async function tellDamaged(
  terminal: Terminal,
  { sessionId, place, findings, messages, repaired }: Damaged,
): Promise<void> {
  await terminal.print(terminal.style.bad(stripControlsLine(`Damaged: ${sessionId ?? place ?? "?"}`)));
  for (const finding of findings) await say(terminal, told(finding));
  if (messages > 0) await say(terminal, `At least ${countedAre(messages, "message")} intact.`);
  if (repaired !== undefined) await say(terminal, repaired.told);
}

function told({ severity, detail, location }: Finding): string {
  const where = location === undefined || detail.includes(location) ? "" : `, in ${location}`;
  return `${severity === "harmful" ? "" : "(benign) "}${detail}${where}`;
}

async function tellSum(
  terminal: Terminal,
  { sessions, benign, damaged, problems, quarantine }: Findings,
  fix: boolean,
): Promise<void> {
  const traces = benign.reduce((sum, { findings }) => sum + findings.length, 0);
  if (traces > 0)
    await say(
      terminal,
      `${counted(traces, "trace")} of crashes or of paused processes in ${counted(benign.length, "session")}. That is harmless.`,
      "",
    );
  if (quarantine !== undefined)
    await say(
      terminal,
      `${quarantine.folder} has ${counted(quarantine.entries, "folder")} of damaged sessions and of copies that repairs made first. No command reads them.`,
      "",
    );
  if (damaged.length === 0 && sessions === 0 && problems.length > 0) return; // it could not even be opened
  if (damaged.length === 0 && sessions === 0) return terminal.print("There are no sessions.");
  if (damaged.length === 0)
    return terminal.print(terminal.style.good(`${allAre(sessions, "session")} sound.`));
  const saved = damaged.filter(isSaved).length;
  const after = saved === 0 ? "" : ` ${counted(saved, "session")} could be saved.`;
  const sound = sessions - damaged.length;
  const [is, are] = fix ? ["was", "were"] : ["is", "are"];
  const verb = sound === 1 || sessions === 1 ? is : are;
  return terminal.print(`${sound} of ${counted(sessions, "session")} ${verb} sound.${after}`);
}

/** Whether nothing is lost and the session has its id again. */
function isMended({ repaired }: Damaged): boolean {
  return repaired?.status === "restored" && repaired.whole;
}

function isSaved({ repaired }: Damaged): boolean {
  return repaired?.status === "restored" || repaired?.status === "saved";
}

function say(terminal: Terminal, text: string, indent = "  "): Promise<void> {
  const lines = wrapped(stripControlsLine(text), terminal.columns - indent.length);
  return terminal.print(...lines.map((line) => indent + line));
}
