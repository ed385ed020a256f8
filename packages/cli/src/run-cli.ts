import { SessionError } from "@sessions/protocol";
import { type Command, CommanderError } from "commander";
import { CommandContext } from "./command/command-context.js";
import { CommandError, EXIT, exitCodeOf } from "./command/exit-code.js";
import { type SignalSource, stopOnSignals } from "./command/stop-signals.js";
import { stopReasonOf } from "./command/stopped.js";
import { programOf } from "./program.js";
import { isClosedPipe } from "./terminal/closed-pipe.js";
import { jsonText } from "./terminal/json-text.js";
import { stripControls } from "./terminal/strip-controls.js";
import { type ProcessParts, Terminal } from "./terminal/terminal.js";

/** Runs a command line of `sessions`. Returns the exit code. */
export async function runCli(args: readonly string[], parts: ProcessParts & SignalSource): Promise<number> {
  const terminal = new Terminal(parts);
  const { signal, release } = stopOnSignals(parts);
  let exitCode: number = EXIT.ok;
  const program = programOf(async (command, work) => {
    exitCode = await ran(command, work, terminal, signal);
  });
  const usage = usageErrors(args, terminal);
  const help: string[] = [];
  for (const each of [program, ...program.commands])
    prepare(each, terminal, { writeOut: (text) => void help.push(text), writeErr: usage.write });
  try {
    refuseNul(args);
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommandError) return ended(error, args.includes("--json"), terminal, signal);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return await shown(help.join(""), terminal, signal);
    usage.end();
    return EXIT.usage;
  } finally {
    release();
  }
}

/** No system call takes a path with a NUL, and no shell can write one. */
function refuseNul(args: readonly string[]): void {
  if (args.some((argument) => argument.includes("\0")))
    throw new CommandError("An argument holds a NUL character.", EXIT.usage);
}

/** Lets commander write to our terminal and at its width, and throw instead of ending the process. */
function prepare(
  command: Command,
  terminal: Terminal,
  output: { readonly writeOut: (text: string) => void; readonly writeErr: (text: string) => void },
): void {
  const width = Math.min(80, terminal.columns);
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ ...output, getOutHelpWidth: () => width, getErrHelpWidth: () => width });
}

/** Prints help or the version. Commander does not wait for its writes. */
async function shown(text: string, terminal: Terminal, signal: AbortSignal): Promise<number> {
  try {
    await terminal.write(stripControls(text));
    return EXIT.ok;
  } catch (error) {
    return ended(error, false, terminal, signal);
  }
}

/** Prints commander's message about a wrong command line. With --json it is one line, like any other failure. */
function usageErrors(
  args: readonly string[],
  terminal: Terminal,
): { readonly write: (text: string) => void; readonly end: () => void } {
  const texts: string[] = [];
  if (!args.includes("--json"))
    return { write: (text) => terminal.note(stripControls(text.trimEnd())), end: () => undefined };
  const write = (text: string): void => void texts.push(text.trim());
  const end = (): void =>
    terminal.note(jsonText({ error: { message: texts.join(" "), exitCode: EXIT.usage } }));
  return { write, end };
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
    const code = ended(context.hideIn(error), json, terminal, signal, context.stopReport);
    await context.close().catch((later: unknown) => ended(context.hideIn(later), json, terminal, signal));
    return code;
  }
}

/** Prints an error and returns its exit code. */
function ended(
  error: unknown,
  json: boolean,
  terminal: Terminal,
  signal: AbortSignal,
  stopReport?: string,
): number {
  if (isClosedPipe(error)) return EXIT.ok; // there is no reader any more
  const stop = stopReasonOf(error, signal);
  if (stop !== undefined) {
    const { exitCode } = stop;
    const message = `Stopped. ${stopReport ?? ""}`;
    if (stopReport !== undefined)
      terminal.note(json ? jsonText({ error: { message, exitCode } }) : stripControls(message));
    return exitCode;
  }
  const exitCode = exitCodeOf(error);
  if (json) terminal.note(jsonText({ error: { ...fieldsOf(error), exitCode } }));
  else terminal.note(terminal.noteStyle.bad(stripControls(told(error))));
  return exitCode;
}

/** Adds the stack to errors that the user cannot act on. */
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
