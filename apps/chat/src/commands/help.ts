import type { Command } from "./command.js";

/** Prints the help. */
export function helpCommand(others: readonly Command[]): Command {
  const help: Command = {
    name: "/help",
    does: "tells this",
    async run({ screen }) {
      const all = [...others, help];
      const width = Math.max(...all.map((command) => callOf(command).length));
      for (const command of all) screen.line(`  ${callOf(command).padEnd(width)}  ${command.does}`);
      screen.line(
        "Ctrl-C stops an answer, and at the prompt it leaves. A line that begins with a space is never a command.",
      );
      return undefined;
    },
  };
  return help;
}

const callOf = ({ name, takes }: Command): string => (takes === undefined ? name : `${name} ${takes}`);
