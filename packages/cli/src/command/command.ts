import { Command } from "commander";
import type { CommandContext } from "./command-context.js";

/** Runs a command, closes what it has opened, prints its error, and sets the exit code. */
export type Runner = (command: Command, work: (context: CommandContext) => Promise<void>) => Promise<void>;

/** A command with its examples, which its help shows. */
export function command(name: string, summary: string, examples: readonly string[]): Command {
  const shown = examples.map((example) => `  $ sessions ${example}`).join("\n");
  return new Command(name).description(summary).addHelpText("after", `\nExamples:\n${shown}`);
}
