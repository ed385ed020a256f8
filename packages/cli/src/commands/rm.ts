import type { ResolvedStore } from "@sessions/config";
import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { counted } from "../render/counted.js";
import { isDamage } from "../sessions/all-sessions.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface RmOptions {
  readonly cascade?: boolean;
  readonly yes?: boolean;
}

/** `sessions rm`. */
export function rmCommand(run: Runner): Command {
  return command("rm", "deletes sessions, damaged ones too, after asking", [
    "rm user-42",
    "rm user-42 user-43 --yes",
    "rm user-42 --cascade",
  ])
    .argument("<id...>", "the sessions")
    .option("--cascade", "with their forks, and the forks of those")
    .option("-y, --yes", "does not ask")
    .addHelpText(
      "after",
      '\nOf a damaged session, "sessions doctor --fix" saves first what can be read. Stop\nevery program that uses the store before you delete one.',
    )
    .action((ids: readonly string[], options: RmOptions, self: Command) =>
      run(self, (context) => remove(context, [...new Set(ids)], options)),
    );
}

type State = "there" | "absent" | "damaged";

async function remove(
  context: CommandContext,
  ids: readonly string[],
  { cascade = false, yes = false }: RmOptions,
): Promise<void> {
  const { terminal, json, signal } = context;
  const resolved = await context.resolve();
  const store = await context.opened(resolved, "existing");
  const states = new Map<string, State>();
  for (const id of ids) states.set(id, await stateOf(store, id));
  const inState = (state: State): readonly string[] => ids.filter((id) => states.get(id) === state);
  const [there, absent, damaged] = [inState("there"), inState("absent"), inState("damaged")];
  if (absent.length < ids.length)
    await context.confirm(question([...there, ...damaged], damaged.length, cascade), yes);
  let done = 0;
  context.whenStopped(
    () => `${done} of ${counted(ids.length, "session")} deleted, the others are as they were.`,
  );
  const report = async (sessionId: string, deleted: boolean, text: string): Promise<void> => {
    if (deleted) done++;
    await (json ? terminal.printJson({ sessionId, deleted }) : terminal.print(stripControlsLine(text)));
  };
  for (const id of [...there, ...absent]) {
    signal.throwIfAborted();
    const deleted = await store.deleteSession(id, { cascade });
    await report(id, deleted, deleted ? `Deleted ${id}.` : `There is no session ${id}.`);
  }
  await context.close(); // a damaged session can be taken out only while no store has it open
  for (const id of damaged) {
    signal.throwIfAborted();
    await report(id, true, `Deleted ${id}, which was damaged. ${await discarded(resolved, id)}`);
  }
  if (done < ids.length)
    throw new CommandError(
      `${ids.length - done} of ${counted(ids.length, "session")} did not exist.`,
      EXIT.notFound,
    );
}

async function stateOf(store: SessionStore, id: string): Promise<State> {
  try {
    return (await store.sessionExists(id)) ? "there" : "absent";
  } catch (error) {
    if (!isDamage(error)) throw error;
    return "damaged";
  }
}

function question(ids: readonly string[], damaged: number, cascade: boolean): string {
  const [only = ""] = ids;
  const what = ids.length === 1 ? `"${only}"` : `${ids.length} sessions`;
  const forks = cascade ? " with all forks" : "";
  if (damaged === 0) return `Delete ${what}${forks} for good?`;
  const which = ids.length === 1 ? "It is damaged" : `${damaged} of them are damaged`;
  return `Delete ${what}${forks} for good? ${which}: "sessions doctor --fix" would save what can be read.`;
}

async function discarded(resolved: ResolvedStore, id: string): Promise<string> {
  const { discard } = await resolved.tools();
  if (discard !== undefined) return discard(id);
  throw new CommandError(
    `${id} is damaged, and this kind of store cannot delete a damaged session.`,
    EXIT.damaged,
  );
}
