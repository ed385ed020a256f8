import { SessionError } from "@sessions/protocol";
import { type Command, CommanderError } from "commander";
import { CommandContext } from "./command-context.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { programOf } from "./program.js";
import { isClosedPipe, QUIET_END, type SignalSource, stopOf, stoppable } from "./stop.js";
import { harmless } from "./terminal/harmless.js";
import { type ProcessParts, Terminal } from "./terminal/terminal.js";

/** Runs a command line, as `sessions` does. Answers the exit code. */
export async function runCli(args: readonly string[], parts: ProcessParts & SignalSource): Promise<number> {
  const terminal = new Terminal(parts);
  const { signal, release } = stoppable(parts);
  let exitCode: number = EXIT.ok;
  const program = programOf(async (command, work) => {
    exitCode = await ran(command, work, terminal, signal);
  });
  for (const each of [program, ...program.commands]) prepare(each, terminal);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  } finally {
    release();
  }
}

/** Commander's own words go where ours go, fit the terminal, and do not end the process. */
function prepare(command: Command, terminal: Terminal): void {
  const width = Math.min(80, terminal.columns);
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => terminal.note(text.trimEnd()),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    });
}

async function ran(
  command: Command,
  work: (context: CommandContext) => Promise<void>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { json = false, store }: { readonly json?: boolean; readonly store?: string } =
    command.optsWithGlobals();
  const context = new CommandContext(terminal, signal, { json, ...(store === undefined ? {} : { store }) });
  try {
    await work(context);
    await context.close();
    return EXIT.ok;
  } catch (error) {
    const code = ended(context.hideIn(error), json, terminal, signal);
    await context.close().catch((later: unknown) => ended(context.hideIn(later), json, terminal, signal));
    return code;
  }
}

/** Tells an error once, and says which exit code it is. */
function ended(error: unknown, json: boolean, terminal: Terminal, signal: AbortSignal): number {
  if (isClosedPipe(error)) return QUIET_END;
  const stop = stopOf(error, signal);
  if (stop !== undefined) return stop.exitCode;
  const exitCode = exitCodeOf(error);
  if (json) terminal.note(JSON.stringify({ error: { ...fieldsOf(error), exitCode } }));
  else terminal.note(terminal.noteStyle.bad(harmless(told(error))));
  return exitCode;
}

/** Errors that no user can do anything about come with where they are from. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = SessionError.is(error) || "exitCode" in error || "syscall" in error;
  return known ? error.message : (error.stack ?? error.message);
}

function fieldsOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  if (!SessionError.is(error)) return { message };
  const { code, sessionId, retryable } = error;
  return { code, message, retryable, ...(sessionId === undefined ? {} : { sessionId }) };
}
